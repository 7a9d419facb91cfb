import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

/** The commands over a repository whose ids are made by SHA-256: what they print is what git prints. */

let dir: ReturnType<typeof tempDir>;
let repo: string;

beforeAll(() => {
  dir = tempDir();
  repo = join(dir.path, "r.git");
  buildHistory(repo, 40, 9, "sha256");
  git(["-C", repo, "update-ref", "refs/heads/side", "main~7"]);
  git(["-C", repo, "repack", "-adq"]);
});
afterAll(() => dir[Symbol.dispose]());

const file = () => gitText(["-C", repo, "ls-tree", "-r", "--name-only", "main"]).split("\n")[0]!;

const CASES: Record<string, () => string[][]> = {
  "cat-file": () => [
    ["-p", "main"],
    ["-p", "main^{tree}"],
    ["-p", "v1"],
    ["-t", "v1"],
    ["-s", `main:${file()}`],
    ["-e", "1".repeat(64)],
    ["-p", gitText(["-C", repo, "rev-parse", "main"]).slice(0, 41)],
  ],
  "rev-parse": () => [
    ["main", "v1^{}", "main~3", "main^{tree}"],
    ["--short", "main"],
    ["--verify", "main"],
  ],
  "ls-tree": () => [["main"], ["-r", "-l", "main"], ["-r", "-z", "main"]],
  "show-ref": () => [[], ["-d"]],
  fsck: () => [["--strict"]],
  "rev-list": () => [["main"], ["--count", "--all"], ["--objects", "main~3..main"], ["main", "--", "d1"]],
  log: () => [
    ["-5", "--format=%H %T %P %h %s", "main"],
    ["-3", "-p", "main"],
    ["--stat", "-3", "main"],
  ],
  "merge-base": () => [
    ["main", "side"],
    ["--all", "main", "side"],
    ["--is-ancestor", "side", "main"],
  ],
  diff: () => [
    ["--raw", "main~3", "main"],
    ["-p", "main~3", "main"],
    ["--stat", "main~3", "main"],
  ],
  "diff-tree": () => [["main"], ["-r", "main~2", "main"], ["-p", "main"]],
  blame: () => [[file()], ["--porcelain", "main", "--", file()]].slice(1),
  archive: () => [["--format=tar", "main"]],
  "merge-tree": () => [["--write-tree", "main", "side"]],
};

test.each(Object.keys(CASES))("%s", async (command) => {
  for (const words of CASES[command]!()) {
    const expected = realGit(repo, [command, ...words]);
    const found = await hearthGit(repo, [command, ...words]);
    expect({ words, ...found }).toEqual({ words, ...expected });
  }
});

test("after gc, which writes a commit-graph, real git finds it sound and answers the same", async () => {
  const copy = join(dir.path, "copy.git");
  cpSync(repo, copy, { recursive: true });
  const before = gitText(["-C", copy, "rev-list", "--objects", "--all"]);
  expect(await hearthGit(copy, ["gc", "-q"])).toMatchObject({ status: 0 });
  expect(git(["-C", copy, "commit-graph", "verify"]).stderr).toBe("");
  expect(git(["-C", copy, "fsck", "--strict"]).stderr).toBe("");
  expect(gitText(["-C", copy, "rev-list", "--objects", "--all"])).toBe(before);
  expect((await hearthGit(copy, ["rev-list", "--objects", "--all"])).stdout.trim()).toBe(before);
});
