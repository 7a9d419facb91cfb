import { expect, test } from "bun:test";
import { join } from "node:path";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

/** Runs each command line in both, and expects the same bytes and the same status. */
async function expectSame(repo: string, lines: readonly (readonly string[])[], stdin = ""): Promise<void> {
  for (const words of lines) {
    const { stdout, status } = realGit(repo, words, { stdin });
    expect({ words, ...(await hearthGit(repo, words, { stdin })) }).toMatchObject({ words, stdout, status });
  }
}

/** A history whose last tree has a link, a submodule, an executable and names that need quotes. */
function aRepo(dir: string): string {
  const repo = join(dir, "r.git");
  buildHistory(repo, 12);
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  const script = [
    `commit refs/heads/odd\ncommitter C <c@example.org> 1700000000 +0000\ndata 3\nodd\nfrom ${tip}\n`,
    "M 120000 inline link\ndata 3\nd0/\n",
    `M 160000 ${tip} d0/module\n`,
    'M 100755 inline "d0/\\303\\244 \\"q\\"\\t"\ndata 1\nx\n',
    "M 100644 inline d0-1\ndata 1\ny\n",
  ];
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  return repo;
}

test("ls-tree prints what git prints", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  const flags = [
    [],
    ["-r"],
    ["-t", "-r"],
    ["-d"],
    ["-d", "-r"],
    ["-t"],
    ["-l", "-r"],
    ["-rz"],
    ["--name-only"],
    ["--object-only", "-r"],
  ];
  const paths = [
    [],
    ["d0"],
    ["d0/"],
    ["d0/e1"],
    ["d0/e1/"],
    ["d0-1", "link"],
    ["nothing"],
    ["d0/module"],
    ["d0/module/x"],
  ];
  const format = ["--format=%(objecttype) %(objectsize)%x09%(objectsize:padded)|%(path)", "-r"];
  await expectSame(
    repo,
    [...flags, format].flatMap((flag) => paths.map((path) => ["ls-tree", ...flag, "odd", ...path])),
  );
  await expectSame(repo, [
    ["ls-tree", "nothing"],
    ["ls-tree", "v1^{tree}"],
    ["ls-tree", "odd:d0"],
    ["ls-tree", "--abbrev", "odd"],
    ["ls-tree", "--abbrev=10", "-l", "odd"],
  ]);
});

test("show-ref prints what git prints", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  await expectSame(repo, [
    ["show-ref"],
    ["show-ref", "-d"],
    ["show-ref", "--head", "-s"],
    ["show-ref", "--tags", "-d"],
    ["show-ref", "--heads"],
    ["show-ref", "main"],
    ["show-ref", "heads/main", "v1"],
    ["show-ref", "ain"],
    ["show-ref", "-q", "main"],
    ["show-ref", "--hash=8"],
    ["show-ref", "--abbrev"],
    ["show-ref", "--abbrev=12", "-d"],
    ["show-ref", "--verify", "refs/heads/main", "refs/tags/v1"],
    ["show-ref", "--verify", "main"],
    ["show-ref", "--verify", "-q", "main"],
  ]);
});

test("cat-file in batches prints what git prints", async () => {
  using dir = tempDir();
  const repo = aRepo(dir.path);
  const names = ["HEAD", "v1", "odd:link", "odd:d0", "odd:nothing", "nothing", "", "f".repeat(40), "v1 some rest"];
  const oids = allObjects(repo).map(({ oid }) => oid);
  const stdin = [...names, ...oids.slice(0, 30), oids[3]?.slice(0, 12)].join("\n");
  await expectSame(
    repo,
    [
      ["cat-file", "--batch"],
      ["cat-file", "--batch-check"],
      ["cat-file", "--batch-check=%(objecttype)-%(objectname) %(rest)"],
      ["cat-file", "--batch-check", "--batch-all-objects"],
    ],
    stdin,
  );
  await expectSame(repo, [
    ["cat-file", "blob", "odd:link"],
    ["cat-file", "tree", "v1"],
    ["cat-file", "commit", "v1"],
    ["cat-file", "blob", "v1"],
    ["cat-file", "-e", "f".repeat(40)],
    ["cat-file", "-t", "nothing"],
    ["cat-file", "-p", "f".repeat(40)],
  ]);
});
