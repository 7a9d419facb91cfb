import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
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

/** A working tree with files, folders and a few commits that change each of them. */
function aWorkTree(dir: string): string {
  const repo = join(dir, "work");
  git(["init", "-q", "-b", "main", repo]);
  mkdirSync(join(repo, "dir/deep"), { recursive: true });
  const commit = (path: string, text: string) => {
    writeFileSync(join(repo, path), text);
    git(["-C", repo, "add", "-A"]);
    git(["-C", repo, "commit", "-qm", `change ${path}`]);
  };
  for (const path of ["a.c", "b.h", "dir/x.c", "dir/deep/y.C", "star*", "starfish"]) commit(path, `${path}\n`);
  for (const path of ["dir/x.c", "b.h", "dir/deep/y.C"]) commit(path, `${path} again\n`);
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

test("paths typed in a folder are read and shown from there", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
  const linked = join(dir.path, "linked");
  git(["-C", repo, "worktree", "add", "-q", "--detach", linked, "main~1"]);
  for (const top of [repo, linked])
    await expectSame(join(top, "dir"), [
      ["ls-tree", "HEAD"],
      ["ls-tree", "-r", "HEAD", "."],
      ["ls-tree", "-r", "-t", "HEAD", "..", "deep"],
      ["ls-tree", "--full-name", "HEAD", "./deep//", "../a.c"],
      ["ls-tree", "--full-tree", "HEAD", "dir"],
      ["ls-tree", "HEAD", "../../outside"],
      ["log", "--format=%s", "--", "x.c"],
      ["log", "--format=%s", "--", "../a.c", "."],
      ["log", "--format=%s", "--", "../../outside"],
      ["rev-list", "--objects", "HEAD", "--", "deep/"],
      ["log", "--format=%s", "--", join(top, "b.h")],
    ]);
  await expectSame(join(repo, ".git"), [
    ["log", "--", ".."],
    ["ls-tree", "HEAD", ".."],
    ["ls-tree", "HEAD", "dir/."],
  ]);
});

test("pathspecs with patterns and magic limit history", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
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
  await expectSame(join(repo, "dir"), lines);
  await expectSame(repo, [
    ["rev-list", "--count", "main", "*.c"],
    ["log", "--oneline", "b.h", "main"],
  ]);
});

test("a word that is a revision and a file needs two dashes", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
  git(["-C", repo, "branch", "b.h"]);
  await expectSame(repo, [
    ["rev-list", "--count", "b.h"],
    ["rev-list", "--count", "b.h", "--"],
    ["log", "--format=%s", "--", "b.h"],
  ]);
});

test("objects may lie with another repository, and stand in for others", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
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
    ["for-each-ref", "--format=%(objectname) %(objectsize) %(subject)"],
  ]);
  const asStored = { environment: { GIT_NO_REPLACE_OBJECTS: "1" } };
  expect(await hearthGit(repo, ["log", "main"], asStored)).toEqual(realGit(repo, ["log", "main"], asStored));
  git(["-C", repo, "config", "core.useReplaceRefs", "false"]);
  await expectSame(repo, read);
});

test("blame takes paths from where one stands, and ranges of every kind", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
  git(["-C", repo, "checkout", "-q", "-b", "side", "main~2"]);
  writeFileSync(join(repo, "a.c"), "a.c\nside\n");
  git(["-C", repo, "commit", "-qam", "side"]);
  await expectSame(join(repo, "dir"), [
    ["blame", "main", "--", "x.c"],
    ["blame", "main", "--", "../a.c"],
    ["blame", "main", "--", "a.c"],
    ["blame", "main", "--", "../../a.c"],
    ["blame", "main", "--", "."],
    ["blame", "main...side", "--", "../a.c"],
    ["blame", "main~3...main", "--", "x.c"],
    ["blame", "side^!", "--", "../a.c"],
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
  const work = join(dir.path, "work");
  git(["clone", "-q", repo, work]);
  mkdirSync(join(work, "d"), { recursive: true });
  await expectSame(join(work, "d"), [
    ["ls-tree", "-r", "HEAD", ".."],
    ["ls-tree", "-z", "HEAD~2", "../d", "../thing"],
  ]);
});

test("commits a clone ends at, and those that are replaced, are told of beside them", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
  const shallow = join(dir.path, "shallow");
  git(["clone", "-q", "--depth=3", `file://${repo}`, shallow]);
  git(["-C", repo, "replace", "main~1", "main~4"]);
  for (const folder of [repo, shallow])
    await expectSame(folder, [
      ["log", "--format=%h%d"],
      ["log", "--oneline", "--decorate=full"],
      ["rev-list", "--pretty=%h%d", "HEAD"],
    ]);
});

test("last-commits answers for a folder, named from where one stands, one line an entry", async () => {
  using dir = tempDir();
  const repo = aWorkTree(dir.path);
  writeFileSync(join(repo, "dir/new\nline"), "");
  git(["-C", repo, "add", "-A"]);
  git(["-C", repo, "commit", "-qm", "odd name"]);
  const last = (path: string) => gitText(["-C", repo, "log", "-1", "--format=%H", "--", path]);
  const expected = `${last("dir/deep")}\tdeep\n${last("dir/new\nline")}\t"new\\nline"\n${last("dir/x.c")}\tx.c\n`;
  expect((await hearthGit(join(repo, "dir"), ["last-commits", "HEAD", "--", "."])).stdout).toBe(expected);
  expect((await hearthGit(repo, ["last-commits", "HEAD", "--", "dir/"])).stdout).toBe(expected);
  for (const path of ["nothing", "a.c"])
    expect(await hearthGit(repo, ["last-commits", "HEAD", "--", path])).toEqual({
      stdout: "",
      stderr: `fatal: path '${path}' is no folder in 'HEAD'\n`,
      status: 128,
    });
});
