import { expect, test } from "bun:test";
import { join } from "node:path";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

/** Both say the same on both outputs, and end alike. */
async function expectSame(folder: string, lines: readonly (readonly string[])[]): Promise<void> {
  for (const words of lines) {
    const { stdout, stderr, status } = realGit(folder, words);
    expect({ words, ...(await hearthGit(folder, words)) }).toEqual({ words, stdout, stderr, status });
  }
}

/** Branches, tags, remote branches with a HEAD that names one of them, a ref of no known kind, and commits like no other. */
function aRepo(dir: string): string {
  const repo = join(dir, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const commit = (n: number, message: string, more = "") =>
    `commit refs/heads/main\nmark :${n}\ncommitter C <c@example.org> ${1600000000 + n * 60} +0100\n` +
    `data ${Buffer.byteLength(message)}\n${message}\n${more}`;
  const script = [
    commit(1, "first\n", 'M 100644 inline "new\\nline"\ndata 1\nx\n'),
    commit(2, "a\ttab\n\n\tindented\ttext\n", "M 100644 inline dir/file\ndata 1\ny\n"),
    commit(3, "third\n", "M 100644 inline dir/file\ndata 1\nz\n"),
    "reset refs/heads/side\nfrom :2\n\nreset refs/heads/feature/x\nfrom :1\n\nreset refs/remotes/origin/main\nfrom :2\n\n",
    "reset refs/notable/thing\nfrom :1\n\ntag v1\nfrom :2\ntagger T <t@example.org> 1700000000 +0000\ndata 2\nv1\n",
  ];
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  git(["-C", repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
  git(["-C", repo, "symbolic-ref", "refs/heads/alias", "refs/heads/side"]);
  return repo;
}

test("refs that name others count among all, and stand beside commits", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  await expectSame(repo, [
    ["rev-parse", "--all"],
    ["rev-parse", "--symbolic", "--branches", "--remotes"],
    ["log", "--format=%h%d", "main"],
    ["log", "--decorate", "--oneline", "main"],
    ["log", "--decorate=full", "main"],
    ["rev-list", "--pretty=%h%d", "main"],
    ["rev-list", "--objects", "--all"],
  ]);
});

test("sets of refs take patterns, and leave out what they are told to", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  const sets = [
    ["--branches=s*"],
    ["--branches=feature"],
    ["--tags=v?"],
    ["--remotes=origin"],
    ["--glob=heads/*"],
    ["--glob=refs/notable"],
    ["--exclude=refs/heads/*", "--all"],
    ["--exclude=main", "--branches", "--tags"],
    ["--all", "--not", "--glob=refs/tags/*"],
    ["--branches=none*"],
  ];
  await expectSame(
    repo,
    sets.flatMap((set) => [
      ["rev-list", ...set],
      ["rev-parse", ...set],
      ["log", "--oneline", ...set],
    ]),
  );
});

test("rev-list shortens ids when told to, keeps tabs, and breaks names off at line ends", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  await expectSame(repo, [
    ["rev-list", "--oneline", "main"],
    ["rev-list", "--oneline", "--no-abbrev-commit", "main"],
    ["rev-list", "--no-abbrev-commit", "--oneline", "main"],
    ["log", "--no-abbrev-commit", "--oneline", "main"],
    ["rev-list", "--abbrev-commit", "--abbrev=12", "main"],
    ["rev-list", "--pretty", "main"],
    ["rev-list", "--pretty=fuller", "main"],
    ["log", "--pretty=fuller", "main"],
    ["rev-list", "--pretty=", "main"],
    ["log", "--pretty=", "--stat", "main"],
    ["log", "--pretty", "main"],
    ["rev-list", "--objects", "main"],
    ["rev-list", "--max-count=none", "main"],
    ["rev-list", "--skip=1x", "main"],
  ]);
});

test("a commit that ends with its committer has no time, as git sees it", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  const tree = gitText(["-C", repo, "rev-parse", "main^{tree}"]);
  const parent = gitText(["-C", repo, "rev-parse", "main"]);
  const person = "C <c@example.org> 1600009000 +0000";
  const input = `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n`;
  const bare = gitText(["-C", repo, "hash-object", "-t", "commit", "-w", "--stdin"], { input });
  await expectSame(repo, [
    ["rev-list", "--timestamp", bare],
    ["rev-list", "--since=1600000100", bare, "main"],
    ["log", "--format=%h %ct", bare],
  ]);
});
