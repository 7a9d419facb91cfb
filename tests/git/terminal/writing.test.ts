import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { type Given, hearthGit, realGit } from "./answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

/** Two equal repositories: real git works on one, Hearth on the other. */
function twins(dir: string) {
  const theirs = join(dir, "theirs.git");
  buildHistory(theirs, 12);
  const ours = join(dir, "ours.git");
  cpSync(theirs, ours, { recursive: true });
  const both = async (words: readonly string[], given: Given = {}) => {
    const expected = realGit(theirs, words, given);
    expect({ words, given, ...(await hearthGit(ours, words, given)) }).toEqual({ words, given, ...expected });
    return expected.stdout.trim();
  };
  const expectSameRefs = () => expect(gitText(["-C", ours, "show-ref"])).toBe(gitText(["-C", theirs, "show-ref"]));
  return { theirs, ours, both, expectSameRefs };
}

test("update-ref moves refs as git does, and refuses in its words", async () => {
  using dir = tempDir();
  const { ours, both, expectSameRefs } = twins(dir.path);
  const id = (name: string) => gitText(["-C", ours, "rev-parse", name]);
  const [one, two, blob] = [id("main~2"), id("main~1"), id("main:d0/e0").slice(0, 40)];
  const zero = "0".repeat(40);
  const lines = [
    ["refs/heads/a", one],
    ["refs/heads/a", two, two],
    ["refs/heads/a", two, one],
    ["refs/heads/a/b", two],
    ["refs/heads/a", "nope"],
    ["refs/heads/a", one, "nope"],
    ["refs/heads/x", "1".repeat(40)],
    ["refs/heads/x", blob],
    ["refs/tags/x", blob],
    ["bad..name", one],
    ["refs/heads/new", one, zero],
    ["refs/heads/new", one, zero],
    ["refs/heads/q", one, two],
    ["HEAD", one],
    ["-d", "refs/heads/zz"],
    ["-d", "refs/heads/zz", two],
    ["-d", "refs/heads/a", one],
    ["-d", "refs/heads/a", two],
    ["-d", "refs/tags/v1"],
  ];
  for (const words of lines) await both(["update-ref", ...words]);
  expectSameRefs();
  expectSameRefs();
});

test("update-ref keeps the logs of a working tree's repository, and none of a bare one unless told to", async () => {
  using dir = tempDir();
  const work = join(dir.path, "work");
  git(["init", "-q", "-b", "main", work]);
  const tree = git(["-C", work, "mktree"], { input: "" }).stdout.toString().trim();
  const commit = gitText(["-C", work, "commit-tree", tree, "-m", "x"]);
  const given = { environment: { GIT_COMMITTER_DATE: "1700000000 +0100" } };
  await hearthGit(work, ["update-ref", "-m", "first  word", "HEAD", commit], given);
  expect(gitText(["-C", work, "reflog", "--format=%gd %gs %H"])).toBe(`HEAD@{0} first word ${commit}`);
  expect(gitText(["-C", work, "reflog", "show", "--format=%gs", "main"])).toBe("first word");
  await hearthGit(work, ["update-ref", "-d", "refs/heads/main"], given);
  expect(existsSync(join(work, ".git/logs/refs/heads/main"))).toBe(false);
  const { ours, theirs } = twins(dir.path);
  await hearthGit(ours, ["update-ref", "-m", "x", "refs/heads/a", "main"], given);
  expect(existsSync(join(ours, "logs"))).toBe(false);
  for (const [run, repo] of [
    [hearthGit, ours],
    [realGit, theirs],
  ] as const)
    await run(repo, ["update-ref", "-m", "y", "--create-reflog", "refs/heads/b", "main"], given);
  expect(readFileSync(join(ours, "logs/refs/heads/b"), "utf8")).toBe(
    readFileSync(join(theirs, "logs/refs/heads/b"), "utf8"),
  );
});
