/** Clones and fetches by real git over every protocol version: what arrives is what is there, and no more. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PacketList } from "../../../src/git/wire/pktline.ts";
import { aRichHistory, commitAll, write } from "./histories.ts";
import {
  aFolder,
  type GitServer,
  git,
  ok,
  reachableObjects,
  removeFolders,
  startServer,
  storedObjects,
} from "./server.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

let server: GitServer;
let source: string;
let url: string;

beforeAll(async () => {
  const root = aFolder();
  source = await aRichHistory(join(root, "work"));
  await ok(root, "clone", "-q", "--mirror", source, "rich.git");
  server = startServer(root);
  url = `${server.url}/rich.git`;
});
afterAll(() => {
  server.close();
  removeFolders();
});

async function clone(...args: string[]): Promise<string> {
  const dir = aFolder();
  await ok(dir, "clone", "-q", ...args, url, "c");
  return join(dir, "c");
}

const refsIn = (dir: string) => ok(dir, "for-each-ref", "--format=%(refname) %(objectname)");
const countOf = async (dir: string, ...revisions: string[]) =>
  Number(await ok(dir, "rev-list", "--count", ...revisions));
const missingIn = async (dir: string) =>
  (await ok(dir, "rev-list", "--objects", "--all", "--missing=print"))
    .split("\n")
    .filter((line) => line.startsWith("?"));

describe.each(["2", "1", "0"])("in protocol version %s", (version) => {
  const protocol = ["-c", `protocol.version=${version}`];

  test("a mirror clone has the same refs and objects", async () => {
    const dir = await clone(...protocol, "--mirror");
    expect(await refsIn(dir)).toBe(await refsIn(source));
    expect(await storedObjects(dir)).toEqual(await reachableObjects(source));
    await ok(dir, "fsck", "--strict");
  });

  test("a clone of one branch has what it leads to and the tags on it", async () => {
    const dir = await clone(...protocol, "--single-branch", "--branch", "side/one");
    expect(await storedObjects(dir)).toEqual(await reachableObjects(dir));
    expect((await ok(dir, "tag")).split("\n")).toContain("side-tag");
    await ok(dir, "fsck", "--strict");
  });

  test("a fetch brings what is new and little else", async () => {
    const dir = await clone(...protocol, "--bare", "--single-branch", "--branch", "main", "--no-tags");
    await ok(dir, "update-ref", "refs/heads/main", "main~2");
    await ok(dir, "repack", "-adq");
    await ok(dir, "prune");
    const before = new Set(await storedObjects(dir));
    await ok(dir, ...protocol, "-c", "fetch.unpackLimit=1", "fetch", "-q", "origin", "+refs/heads/*:refs/heads/*");
    const added = (await storedObjects(dir)).filter((oid) => !before.has(oid));
    const needed = (await reachableObjects(dir)).filter((oid) => !before.has(oid));
    expect(added).toEqual(needed);
    await ok(dir, "fsck", "--strict");
  });

  test("history deepens step by step to the whole, as git deepens it", async () => {
    const ours = await clone(...protocol, "--depth", "1", "--no-single-branch");
    const theirs = join(aFolder(), "c");
    await ok(join(theirs, ".."), "clone", "-q", "--depth", "1", "--no-single-branch", `file://${source}`, "c");
    expect(await countOf(ours, "main")).toBe(1);
    const commits = (dir: string) => ok(dir, "rev-list", "--remotes", "--date-order");
    const cutsOf = (dir: string) => readFileSync(join(dir, ".git/shallow"), "utf8").split("\n").filter(Boolean).sort();
    for (const step of [
      ["--depth", "2"],
      ["--depth", "3"],
      ["--deepen", "2"],
    ]) {
      await ok(ours, ...protocol, "fetch", "-q", ...step);
      await ok(theirs, "fetch", "-q", ...step);
      expect(await commits(ours)).toBe(await commits(theirs));
      expect(cutsOf(ours)).toEqual(cutsOf(theirs));
      await ok(ours, "fsck", "--strict");
      // What history ends at must have come along, or the next step fails.
      for (const oid of cutsOf(ours)) await ok(ours, "cat-file", "-e", oid);
    }
    await ok(ours, ...protocol, "fetch", "-q", "--unshallow");
    expect(existsSync(join(ours, ".git/shallow"))).toBe(false);
    expect(await countOf(ours, "main")).toBe(await countOf(source, "main"));
    await ok(ours, "fsck", "--strict");
  });

  test("a shallow clone ends where git would end it", async () => {
    for (const depth of ["1", "2", "4"]) {
      const ours = await clone(...protocol, "--depth", depth, "--no-single-branch");
      const theirs = aFolder();
      await ok(theirs, "clone", "-q", "--depth", depth, "--no-single-branch", `file://${source}`, "c");
      const commits = (dir: string) => ok(dir, "rev-list", "--remotes", "--date-order");
      expect(await commits(ours)).toBe(await commits(join(theirs, "c")));
    }
  });

  test("history can end at a date or before a ref", async () => {
    const since = await clone(...protocol, "--shallow-since=2020-01-04T12:00:00Z", "--no-tags");
    expect(await countOf(since, "HEAD")).toBe(await countOf(source, "main", "--since=2020-01-04T12:00:00Z"));
    const without = await clone(...protocol, "--shallow-exclude=v1", "--no-tags");
    expect(await countOf(without, "HEAD")).toBeLessThan(await countOf(source, "main"));
    for (const dir of [since, without]) {
      await ok(dir, "fsck", "--strict");
      await ok(dir, ...protocol, "fetch", "-q", "--unshallow");
      expect(await countOf(dir, "HEAD")).toBe(await countOf(source, "main"));
    }
  });

  test("ls-remote names refs and what HEAD stands for", async () => {
    const listed = await ok(aFolder(), ...protocol, "ls-remote", "--symref", url);
    expect(listed).toBe(await ok(aFolder(), "ls-remote", "--symref", `file://${server.root}/rich.git`));
    const heads = await ok(aFolder(), ...protocol, "ls-remote", "--heads", url, "side/*");
    expect(heads).toBe(`${await ok(source, "rev-parse", "side/one")}\trefs/heads/side/one`);
  });

  test("an id that is not there, or that no ref leads to, is refused", async () => {
    const dir = aFolder();
    await ok(dir, "init", "-q");
    const lost = await ok(join(server.root, "rich.git"), "commit-tree", "-m", "lost", "main^{tree}");
    for (const oid of ["1".repeat(40), lost]) {
      const failed = await git(dir, [...protocol, "fetch", url, oid]);
      expect(failed.code).not.toBe(0);
      expect(failed.err).toContain(`not our ref ${oid}`);
    }
  });

  test("one commit can be fetched by its id", async () => {
    const dir = aFolder();
    await ok(dir, "init", "-q");
    const oid = await ok(source, "rev-parse", "main~3");
    await ok(dir, ...protocol, "fetch", "-q", "--depth", "1", url, oid);
    expect(await countOf(dir, "FETCH_HEAD")).toBe(1);
    await ok(dir, ...protocol, "fetch", "-q", url, await ok(source, "rev-parse", "main~2"));
  });
});

describe("partial clones", () => {
  test("without blobs fetch them when they are needed", async () => {
    const dir = await clone("--filter=blob:none", "--no-checkout");
    expect((await missingIn(dir)).length).toBeGreaterThan(5);
    await ok(dir, "checkout", "-q", "main");
    expect(await ok(dir, "status", "--porcelain")).toBe("");
    expect(await ok(dir, "log", "-p", "--format=%H")).toBe(await ok(source, "log", "-p", "--format=%H", "main"));
    await ok(dir, "fsck");
  });

  test.each([
    "blob:none",
    "blob:limit=1k",
    "blob:limit=0",
    "tree:0",
    "tree:1",
    "tree:2",
    "object:type=commit",
    "object:type=blob",
    "combine:tree:2+blob:none",
  ])("with %s have what git would send", async (filter) => {
    const ours = await clone(`--filter=${filter}`, "--bare");
    const theirs = aFolder();
    await ok(join(server.root, "rich.git"), "config", "uploadpack.allowFilter", "true");
    await ok(theirs, "clone", "-q", "--bare", `--filter=${filter}`, `file://${server.root}/rich.git`, "c");
    expect(await storedObjects(ours)).toEqual(await storedObjects(join(theirs, "c")));
    await ok(ours, "cat-file", "blob", "HEAD:README.md");
  });

  test("with a filter that is not served say so", async () => {
    const failed = await git(aFolder(), ["clone", "--filter=sparse:oid=HEAD:x", url, "c"]);
    expect(failed.code).not.toBe(0);
    expect(failed.err).toContain("sparse");
  });

  test("join with shallow ones and grow with both", async () => {
    const dir = await clone("--filter=blob:none", "--depth", "1", "--sparse");
    await ok(dir, "sparse-checkout", "set", "src/deep/1");
    expect(readdirSync(join(dir, "src/deep"))).toEqual(["1"]);
    await ok(dir, "fetch", "-q", "--unshallow");
    expect(await countOf(dir, "HEAD")).toBe(await countOf(source, "main"));
    await ok(dir, "fsck");
  });
});

test("an empty repository is cloned onto the branch to come", async () => {
  await ok(server.root, "init", "-q", "--bare", "-b", "trunk", "empty.git");
  for (const version of ["2", "0"]) {
    const dir = aFolder();
    const cloned = await git(dir, ["-c", `protocol.version=${version}`, "clone", `${server.url}/empty.git`, "c"]);
    expect(cloned.code).toBe(0);
    expect(cloned.err).toContain("empty repository");
    if (version === "2") expect(await ok(join(dir, "c"), "symbolic-ref", "HEAD")).toBe("refs/heads/trunk");
  }
});

test("a client that goes away in the middle of a clone stops the work, and the next one is served", async () => {
  const big = join(server.root, "big");
  await ok(server.root, "init", "-q", "big");
  write(big, "big.bin", randomBytes(24 << 20));
  await commitAll(big, "big", 0);
  await ok(server.root, "clone", "-q", "--bare", big, "big.git");
  const want = await ok(big, "rev-parse", "HEAD");
  const body = new PacketList().line("command=fetch\n").delimiter().line("ofs-delta\n").line(`want ${want}\n`);
  const request = body.line("done\n").flush().bytes();
  // More often than there are threads: an abandoned one would keep the last from being answered.
  for (let time = 0; time < 6; time++) {
    const gone = new AbortController();
    const response = await fetch(`${server.url}/big.git/git-upload-pack`, {
      method: "POST",
      body: request,
      headers: { "git-protocol": "version=2" },
      signal: gone.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    gone.abort();
  }
  const dir = aFolder();
  await ok(dir, "clone", "-q", `${server.url}/big.git`, "c");
  expect(await ok(join(dir, "c"), "rev-parse", "HEAD")).toBe(want);
});
