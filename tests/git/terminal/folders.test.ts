import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
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

/** A bare repository with files, folders and a few commits that change each of them. */
function aRepository(dir: string): string {
  const repo = join(dir, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  let time = 1600000000;
  const commit = (path: string, text: string) =>
    `commit refs/heads/main\ncommitter C <c@x> ${time++} +0000\ndata ${7 + path.length}\nchange ${path}\n` +
    `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const script = [
    ...["a.c", "b.h", "dir/x.c", "dir/deep/y.C", "star*", "starfish"].map((path) => commit(path, `${path}\n`)),
    ...["dir/x.c", "b.h", "dir/deep/y.C"].map((path) => commit(path, `${path} again\n`)),
  ];
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  return repo;
}

test("a folder that is none is told as git tells it, without a stack", async () => {
  using dir = tempDir();
  const file = join(dir.path, "file");
  writeFileSync(file, "");
  const nothing = join(dir.path, "nothing");
  for (const folder of [file, nothing, `${file}/below`])
    await expectSame(folder, [["log"], ["cat-file", "-t", "HEAD"]]);
});

test("paths are seen from the top of the tree, and lead nowhere else", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  await expectSame(repo, [
    ["ls-tree", "-r", "HEAD", "."],
    ["ls-tree", "HEAD", "./dir//", "a.c"],
    ["ls-tree", "--full-tree", "HEAD", "dir"],
    ["ls-tree", "HEAD", "../outside"],
    ["log", "--", ".."],
    ["ls-tree", "HEAD", "dir/."],
    ["rev-list", "--objects", "HEAD", "--", "dir/deep/"],
    ["log", "--format=%s", "--", join(repo, "b.h")],
  ]);
});

test("a repository is its own folder or the one whose .git it is, and nothing below or above", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const work = join(dir.path, "work");
  git(["clone", "-q", repo, work]);
  for (const folder of [work, join(work, ".git")])
    expect((await hearthGit(folder, ["rev-parse", "HEAD"])).stdout).toBe(realGit(repo, ["rev-parse", "HEAD"]).stdout);
  const below = join(work, "dir");
  expect(await hearthGit(below, ["rev-parse", "HEAD"])).toEqual({
    stdout: "",
    stderr: `fatal: not a git repository: '${below}'\n`,
    status: 128,
  });
});

test("pathspecs with patterns and magic limit history", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const specs = [
    ["*.c"],
    [":(glob)*.c"],
    [":(glob)**/*.c"],
    [":(glob)dir/*/*"],
    [":(icase)*.c"],
    [":(icase)DIR/deep"],
    [":(literal)star*"],
    ["star*"],
    [":!dir"],
    ["*.c", ":^dir/x*"],
    [":(exclude)*.h", "dir", "b.h"],
    ["di?"],
    ["[ab].*"],
    [":/dir"],
    [":(top,icase)A.C"],
    [":(wrong)x"],
    [":(glob,literal)x"],
    [":%x"],
    [""],
  ];
  const lines = specs.flatMap((paths) => [
    ["log", "--format=%s", "--name-only", "--", ...paths],
    ["rev-list", "--objects", "main", "--", ...paths],
    ["rev-list", "--count", "--first-parent", "--parents", "main~2", "--", ...paths],
  ]);
  await expectSame(repo, lines);
  await expectSame(repo, [["rev-list", "--count", "main", "*.c"]]);
});

test("objects may lie with another repository, and stand in for others", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const borrower = join(dir.path, "borrower.git");
  const second = join(dir.path, "second.git");
  git(["clone", "-q", "--bare", "--shared", repo, borrower]);
  git(["clone", "-q", "--bare", "--shared", borrower, second]);
  const read = [
    ["log", "--stat", "main"],
    ["cat-file", "-p", "main:dir/x.c"],
    ["cat-file", "--batch-check", "--batch-all-objects"],
    ["rev-list", "--objects", "--all"],
    ["rev-parse", "--short", "main~3"],
    ["blame", "main", "--", "dir/x.c"],
  ];
  for (const folder of [borrower, second]) await expectSame(folder, read);
  git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
  const sixth = gitText(["-C", repo, "rev-parse", "main~6"]);
  git(["-C", repo, "replace", "main~1", "main~4"]);
  git(["-C", repo, "replace", "main:b.h", "main:a.c"]);
  git(["-C", repo, "replace", "--graft", "main~2", sixth]);
  await expectSame(repo, [
    ...read,
    ["log", "-p", "main"],
    ["ls-tree", "-l", "main"],
    ["cat-file", "-s", "main:b.h"],
    ["merge-base", "main", "main~3"],
    ["diff", "main~1", "main"],
  ]);
  const asStored = { environment: { GIT_NO_REPLACE_OBJECTS: "1" } };
  expect(await hearthGit(repo, ["log", "main"], asStored)).toEqual(realGit(repo, ["log", "main"], asStored));
  git(["-C", repo, "config", "core.useReplaceRefs", "false"]);
  await expectSame(repo, read);
});

test("blame takes ranges of every kind", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const script = [
    "commit refs/heads/side\ncommitter C <c@x> 1600000100 +0000\ndata 4\nsidefrom refs/heads/main~2\n",
    "M 100644 inline a.c\ndata 9\na.c\nside\n\n",
  ];
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  await expectSame(repo, [
    ["blame", "main", "--", "./dir/x.c"],
    ["blame", "main", "--", "x.c"],
    ["blame", "main", "--", "../a.c"],
    ["blame", "main", "--", "."],
    ["blame", "main...side", "--", "a.c"],
    ["blame", "main~3...main", "--", "dir/x.c"],
    ["blame", "side^!", "--", "a.c"],
  ]);
});

test("a slash at the end of a pathspec asks for a folder", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const commit = (n: number, changes: string) =>
    `commit refs/heads/main\nmark :${n}\ncommitter C <c@x> ${1600000000 + n} +0000\ndata 2\nc${n}\n${changes}\n`;
  const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const script = [
    commit(1, file("thing", "1") + file('"d/latin\\351"', "x")),
    commit(2, file("thing", "2")),
    commit(3, `D thing\n${file("thing/in", "3")}`),
    commit(4, `D thing\nM 160000 ${"1".repeat(40)} thing\n`),
  ];
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  await expectSame(
    repo,
    ["thing", "thing/", "d/", "thing/."].flatMap((path) => [
      ["log", "--format=%s", "--name-status", "main", "--", path],
      ["rev-list", "--objects", "main", "--", path],
    ]),
  );
});

test("commits a clone ends at, and those that are replaced, are told of beside them", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const shallow = join(dir.path, "shallow");
  git(["clone", "-q", "--bare", "--depth=3", `file://${repo}`, shallow]);
  git(["-C", repo, "replace", "main~1", "main~4"]);
  for (const folder of [repo, shallow])
    await expectSame(folder, [
      ["log", "--format=%h%d"],
      ["log", "--oneline", "--decorate=full"],
      ["rev-list", "--pretty=%h%d", "HEAD"],
    ]);
});

test("last-commits answers for a folder, one line an entry", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const script =
    "commit refs/heads/main\ncommitter C <c@x> 1600000100 +0000\ndata 3\noddfrom refs/heads/main^0\n" +
    'M 100644 inline "dir/new\\nline"\ndata 0\n\n';
  git(["-C", repo, "fast-import", "--quiet"], { input: script });
  const last = (path: string) => gitText(["-C", repo, "log", "-1", "--format=%H", "--", path]);
  const expected = `${last("dir/deep")}\tdeep\n${last("dir/new\nline")}\t"new\\nline"\n${last("dir/x.c")}\tx.c\n`;
  for (const path of ["dir", "dir/", "./dir"])
    expect((await hearthGit(repo, ["last-commits", "HEAD", "--", path])).stdout).toBe(expected);
  for (const path of ["nothing", "a.c"])
    expect(await hearthGit(repo, ["last-commits", "HEAD", "--", path])).toEqual({
      stdout: "",
      stderr: `fatal: path '${path}' is no folder in 'HEAD'\n`,
      status: 128,
    });
});
