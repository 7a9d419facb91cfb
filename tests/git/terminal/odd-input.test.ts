import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "./answers.ts";
import { Twins } from "./twins.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

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

test("what update-ref reads has one space between its words", async () => {
  using dir = tempDir();
  const { pair, first } = twins(dir.path);
  for (const stdin of [`create refs/heads/x\t${first}\n`, `create refs/heads/x ${first}\tmore\n`])
    await pair.both(["update-ref", "--stdin"], { stdin, environment });
  for (const stdin of ["update refs/heads/main\0\0\0", "start"])
    await pair.both(["update-ref", "--stdin", "-z"], { stdin, environment });
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

test("mktree and hash-object read lines as C does", async () => {
  using dir = tempDir();
  const { pair } = twins(dir.path);
  const blob = (await pair.both(["hash-object", "-w", "--stdin"], { stdin: "x" })).stdout.trim();
  for (const stdin of [
    `100644 blob ${blob}\tcut\0off\n`,
    `100644 blob ${blob.toUpperCase()}\tf\n`,
    ` 100644 blob ${blob}\tf\n`,
    `100644 blob ${"1".repeat(40)}\tf\n`,
  ])
    await pair.both(["mktree"], { stdin });
  const file = join(dir.path, "file");
  writeFileSync(file, "content");
  for (const stdin of [`${file}\r\n`, `${file}\0more\n`, "\n", `${dir.path}\n`])
    await pair.both(["hash-object", "--stdin-paths"], { stdin });
  await pair.both(["hash-object", dir.path]);
});

test("commit-tree heeds i18n.commitEncoding, takes only proper UTF-8 for UTF-8, and knows when a date cannot be", async () => {
  using dir = tempDir();
  const { pair } = twins(dir.path);
  const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const texts = ["caf\xe9\n", "caf\xc3\xa9\n", "\xef\xbf\xbe\n", "\xf0\x9f\xbf\xbf\n", "\xed\xa0\x80\n"];
  for (const encoding of ["ISO-8859-1", "utf8", "Shift_JIS", "UTF-8"]) {
    for (const repo of [pair.ours, pair.theirs]) git(["-C", repo, "config", "i18n.commitEncoding", encoding]);
    for (const text of texts)
      await pair.both(["commit-tree", tree], { stdin: Buffer.from(text, "latin1"), environment });
  }
  for (const date of ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2099-12-31T00:00:00Z", "2100-01-01T00:00:00Z"])
    await pair.both(["commit-tree", "-m", "x", tree], { environment: { ...environment, GIT_AUTHOR_DATE: date } });
  for (const name of ["A\u0001", "\u00a0A\u00a0", "A\u3000"])
    await pair.both(["commit-tree", "-m", "x", tree], { environment: { ...environment, GIT_AUTHOR_NAME: name } });
  for (const words of [["1".repeat(40)], [tree, "-p", "1".repeat(40)], [tree, "-F", "."]])
    await pair.both(["commit-tree", ...words], { environment });
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
    ["mktree", "--miss"],
    ["merge-tree", "--no-mess", "main", "main"],
    ["merge-tree", "--end-of-options", "main", "main"],
    ["mktree", "--m"],
    ["mktree", "--bogus"],
    ["hash-object", "--stdin", "--no-filt"],
    ["update-ref", "--creat", "refs/heads/another", "main"],
    ["ls-tree", "--name-o", "--full-n", "main"],
  ])
    await pair.both(words, { environment });
});
