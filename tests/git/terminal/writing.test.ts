import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { type Given, hearthGit, realGit } from "./answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

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

const DATES = {
  GIT_AUTHOR_DATE: "Thu, 07 Apr 2005 22:13:13 +0200",
  GIT_COMMITTER_DATE: "2020-02-29T12:00:00-03:30",
};

test("hash-object, mktree and commit-tree make what git makes", async () => {
  using dir = tempDir();
  const { ours, both } = twins(dir.path);
  const blob = await both(["hash-object", "-w", "--stdin"], { stdin: "hello\n" });
  await both(["hash-object", "--stdin"], { stdin: "x" });
  await both(["hash-object", join(ours, "HEAD")]);
  expect((await hearthGit(ours, ["hash-object", "-t", "tree", "--stdin"], { stdin: "nonsense" })).status).toBe(128);
  await both(["hash-object", "--stdin-paths"], { stdin: `${join(ours, "HEAD")}\n` });
  const folder = gitText(["-C", ours, "rev-parse", "main:d0"]);
  const lines = [`100644 blob ${blob}\tz`, `040000 tree ${folder}\td`, `120000 blob ${blob}\t"\\303\\244"`];
  const tree = await both(["mktree"], { stdin: `${lines.join("\n")}\n` });
  await both(["mktree", "-z"], { stdin: `${lines.slice(0, 2).join("\0")}\0` });
  await both(["mktree", "--batch"], { stdin: `${lines[0]}\n\n${lines[1]}\n\n` });
  await both(["mktree"], { stdin: "" });
  await both(["mktree"], { stdin: `100644 blob ${"1".repeat(40)}\tz\n` });
  await both(["mktree", "--missing"], { stdin: `100644 blob ${"1".repeat(40)}\tz\n` });
  await both(["mktree"], { stdin: `100644 tree ${folder}\tz\n` });
  await both(["mktree"], { stdin: `100644 blob ${folder}\tz\n` });
  await both(["mktree"], { stdin: `100644 blob ${blob}\ta/b\n` });
  const given = { environment: DATES };
  const commit = await both(["commit-tree", tree, "-m", "one", "-m", "two"], given);
  await both(["commit-tree", tree, "-p", commit, "-p", "main", "-p", commit], { ...given, stdin: "text" });
  await both(["commit-tree", "main^{tree}", "-p", "main", "-F", "-"], { ...given, stdin: "ä\n" });
  await both(["commit-tree", commit], { ...given, stdin: "x" });
  await both(["commit-tree", "nothing"], { ...given, stdin: "x" });
  await both(["commit-tree", tree, "-p", tree], { ...given, stdin: "x" });
  git(["-C", ours, "fsck", "--strict"]);
});

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
  const scripts = [
    `create refs/heads/c1 ${one}\nupdate refs/heads/a ${two} ${one}\n`,
    `create refs/heads/c1 ${one}\nupdate refs/heads/main ${two}\n`,
    `delete refs/heads/c1 ${two}\n`,
    `verify refs/heads/c1 ${two}\n`,
    `verify refs/heads/c1 ${one}\n`,
    "verify refs/heads/none\n",
    `start\ncreate refs/heads/c2 ${one}\nprepare\ncommit\n`,
    `start\ncreate refs/heads/c3 ${one}\nabort\n`,
    `start\ncreate refs/heads/c4 ${one}\n`,
    "bogus x\n",
    "create refs/heads/c5\n",
    "update refs/heads/c5 nope\n",
    `create refs/heads/d1 ${one}\ncreate refs/heads/d1 ${one}\n`,
    `create refs/heads/d1 ${one} extra\n`,
    "start\nstart\n",
    `create refs/heads/d1 ${zero}\n`,
    `option no-deref\nupdate HEAD ${one}\n`,
  ];
  for (const stdin of scripts) await both(["update-ref", "--stdin"], { stdin });
  await both(["update-ref", "--stdin", "-z"], {
    stdin: `create refs/heads/n\0${one}\0update refs/heads/c1\0${two}\0${one}\0`,
  });
  expectSameRefs();
  expect(readFileSync(join(ours, "HEAD"), "utf8")).toBe(`${one}\n`);
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
