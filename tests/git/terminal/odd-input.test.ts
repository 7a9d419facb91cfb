import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "./answers.ts";
import { Twins } from "./twins.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const environment = { GIT_AUTHOR_DATE: "1700000000 +0100", GIT_COMMITTER_DATE: "1700000001 -0330" };

/** Two equal bare repositories with commits, a branch, a symbolic ref and broken files among the refs. */
function twins(dir: string): { pair: Twins; first: string; last: string } {
  const theirs = join(dir, "theirs.git");
  git(["init", "-q", "--bare", "-b", "main", theirs]);
  const tree = gitText(["-C", theirs, "mktree"], { input: "" });
  const first = gitText(["-C", theirs, "commit-tree", tree, "-m", "one"], { env: environment });
  const last = gitText(["-C", theirs, "commit-tree", tree, "-p", first, "-m", "two"], { env: environment });
  git(["-C", theirs, "update-ref", "refs/heads/main", last]);
  git(["-C", theirs, "symbolic-ref", "refs/heads/symbolic", "refs/heads/main"]);
  writeFileSync(join(theirs, "refs/heads/broken"), "garbage\n");
  writeFileSync(join(theirs, "refs/heads/bad..name"), `${last}\n`);
  mkdirSync(join(theirs, "refs/heads/junk"));
  writeFileSync(join(theirs, "refs/heads/junk/file"), "not a ref");
  return { pair: new Twins(theirs, dir), first, last };
}

test("update-ref leaves what is broken alone, and deletes what has a bad name", async () => {
  using dir = tempDir();
  const { pair, first, last } = twins(dir.path);
  const words = [
    ["refs/heads/broken", first],
    ["--no-deref", "refs/heads/broken", first],
    ["-d", "refs/heads/broken"],
    ["refs/heads/symbolic/below", first],
    ["refs/heads/junk", first],
    ["refs/heads/bad..name", first],
    ["-d", "refs/heads/bad..name"],
    ["-d", "refs/heads/bad..name", last],
    ["-d", "refs/heads/none..such"],
    ["-d", "refs/../config"],
    ["-d", "refs/heads/../../config"],
    ["-d", "config"],
  ];
  for (const line of words) await pair.both(["update-ref", ...line], { environment });
  git(["-C", pair.ours, "config", "core.logAllRefUpdates", "perhaps"]);
  git(["-C", pair.theirs, "config", "core.logAllRefUpdates", "perhaps"]);
  await pair.both(["update-ref", "refs/heads/new", first], { environment });
  pair.expectSameRefs();
});

test("a name longer than any file's names nothing", async () => {
  using dir = tempDir();
  const { pair, first } = twins(dir.path);
  const long = "x".repeat(300);
  for (const words of [
    ["rev-parse", "--verify", long],
    ["cat-file", "-t", long],
    ["show-ref", "--verify", `refs/heads/${long}`],
    ["merge-tree", long, "main"],
    ["update-ref", "refs/heads/new", long],
  ])
    await pair.both(words);
  for (const words of [
    ["log", long],
    ["rev-parse", long],
    ["update-ref", `refs/heads/${long}`, first],
  ]) {
    const { status, stderr } = await hearthGit(pair.ours, words);
    expect({ status, isTold: /^fatal: /.test(stderr) }).toEqual({ status: 128, isTold: true });
  }
});

test("update-ref waits for a lock as long as git does", async () => {
  using dir = tempDir();
  const { pair, first } = twins(dir.path);
  const locked = join(pair.ours, "refs/heads/main.lock");
  const free = async (words: readonly string[], afterMs: number) => {
    writeFileSync(locked, "");
    // Another process: this one sleeps while it waits.
    const other = Bun.spawn(["sh", "-c", `sleep ${afterMs / 1000}; rm -f '${locked}'`]);
    const { status } = await hearthGit(pair.ours, ["update-ref", ...words], { environment });
    await other.exited;
    return status;
  };
  git(["-C", pair.ours, "config", "core.filesRefLockTimeout", "5000"]);
  expect(await free(["refs/heads/main", first], 150)).toBe(0);
  git(["-C", pair.ours, "config", "core.filesRefLockTimeout", "0"]);
  expect(await free(["refs/heads/main", first], 150)).toBe(128);
});

test("options may be cut short and ended", async () => {
  using dir = tempDir();
  const { pair } = twins(dir.path);
  for (const words of [
    ["merge-tree", "--write", "--mess", "main", "main"],
    ["merge-tree", "--no-name-only", "main", "main"],
    ["merge-tree", "nothing", "nothing"],
    ["merge-tree", "--no-mess", "main", "main"],
    ["merge-tree", "--end-of-options", "main", "main"],
    ["ls-tree", "--bogus", "main"],
    ["update-ref", "--creat", "refs/heads/another", "main"],
    ["ls-tree", "--name-o", "--full-n", "main"],
  ])
    await pair.both(words, { environment });
});
