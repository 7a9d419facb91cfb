import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pruneTime } from "../../../cli/git/gc.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "../terminal/answers.ts";

setDefaultTimeout(600_000);

const MONTH_SECONDS = 30 * 86_400;

function objectsOf(repo: string): string[] {
  return [...new Set(gitText(["-C", repo, "cat-file", "--batch-check", "--batch-all-objects"]).split("\n"))].sort();
}

function counts(repo: string): Record<string, number> {
  const lines = gitText(["-C", repo, "count-objects", "-v"]).split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(": ")[0], Number(line.split(": ")[1])]));
}

/** Makes every file below look as old as that. */
function age(folder: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), at, at);
}

test("gc makes one pack of everything, as small as git's, and fsck finds nothing", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 120);
  git(["-C", repo, "unpack-objects", "-q"], { input: new Uint8Array(0), mayFail: true });
  const before = objectsOf(repo);
  const theirs = join(dir.path, "theirs.git");
  git(["clone", "-q", "--mirror", repo, theirs]);
  git(["-C", theirs, "repack", "-adfq", "--threads=1"]);
  expect(await hearthGit(repo, ["gc", "--aggressive", "--prune=now"])).toMatchObject({ status: 0, stderr: "" });
  expect(objectsOf(repo)).toEqual(before);
  expect(counts(repo)).toMatchObject({ count: 0, packs: 1, garbage: 0 });
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
  git(["-C", repo, "commit-graph", "verify"]);
  expect(counts(repo)["size-pack"]! / counts(theirs)["size-pack"]!).toBeLessThan(1.15);
  for (const line of gitText(["-C", repo, "verify-pack", "-s", ...packs(repo)]).split("\n")) {
    const length = /chain length = (\d+)/.exec(line)?.[1];
    expect(Number(length ?? 0)).toBeLessThanOrEqual(50);
  }
  expect(readdirSync(join(repo, "refs/heads"))).toEqual([]);
  // A second one changes nothing.
  expect((await hearthGit(repo, ["gc"])).status).toBe(0);
  expect(objectsOf(repo)).toEqual(before);
});

const packs = (repo: string) =>
  readdirSync(join(repo, "objects/pack"))
    .filter((name) => name.endsWith(".idx"))
    .map((name) => join(repo, "objects/pack", name));

test("gc keeps what reflogs and the young days hold, and leaves repositories with working trees to git", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 12);
  git(["-C", repo, "config", "core.logAllRefUpdates", "true"]);
  const logged = gitText(["-C", repo, "rev-parse", "main"]);
  git(["-C", repo, "update-ref", "refs/heads/main", "main~1"]);
  git(["-C", repo, "tag", "-d", "v1"]);
  expect(gitText(["-C", repo, "for-each-ref", "--contains", logged])).toBe("");
  const blob = (text: string) => gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: text });
  const old = blob("old and lost\n");
  age(join(repo, "objects"), MONTH_SECONDS);
  const young = blob("young and lost\n");
  git(["-C", repo, "tag", "-a", "v1", "-m", "one", "main"]);

  expect(await hearthGit(repo, ["gc", "-q"])).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const has = (oid: string) => git(["-C", repo, "cat-file", "-e", oid], { mayFail: true }).code === 0;
  expect([logged, young].map(has)).toEqual([true, true]);
  expect(has(old)).toBe(false);
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
  expect(counts(repo)["count"]).toBe(0);
  // Real git knows the pack of the young for what it is, and a second gc keeps its times.
  expect(readdirSync(join(repo, "objects/pack")).some((name) => name.endsWith(".mtimes"))).toBe(true);
  expect((await hearthGit(repo, ["gc"])).status).toBe(0);
  expect(has(young)).toBe(true);
  git(["-C", repo, "repack", "--cruft", "-d", "-q"]);
  expect(has(young)).toBe(true);
  expect((await hearthGit(repo, ["gc", "--prune=now"])).status).toBe(0);
  expect(has(logged)).toBe(true);
  expect(has(young)).toBe(false);
  expect(counts(repo)["packs"]).toBe(1);

  // What working trees hold, staged files and detached heads, is not known here.
  const work = join(dir.path, "work");
  git(["clone", "-q", repo, work]);
  git(["-C", repo, "worktree", "add", "-q", "--detach", join(dir.path, "second")]);
  for (const folder of [work, repo]) {
    const before = objectsOf(folder);
    expect(await hearthGit(folder, ["gc", "--prune=now"])).toMatchObject({
      status: 128,
      stderr: "fatal: the repository has a working tree: use git gc\n",
    });
    expect(objectsOf(folder)).toEqual(before);
  }
});

test("gc leaves packs with a .keep and, if told to, the largest one", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 60);
  git(["-C", repo, "repack", "-adq"]);
  git(["-C", repo, "multi-pack-index", "write", "--bitmap"], { mayFail: true });
  const [large = ""] = packs(repo);
  writeFileSync(large.replace(".idx", ".keep"), "");
  const extra = gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: "more\n" });
  git(["-C", repo, "update-ref", "refs/tags/blob", extra]);
  const before = objectsOf(repo);
  expect((await hearthGit(repo, ["gc"])).status).toBe(0);
  expect(existsSync(large)).toBe(true);
  expect(counts(repo)).toMatchObject({ packs: 2, "in-pack": before.length, count: 0 });
  expect((await hearthGit(repo, ["gc", "--keep-largest-pack"])).status).toBe(0);
  expect(existsSync(large)).toBe(true);
  expect(objectsOf(repo)).toEqual(before);
  Bun.spawnSync(["rm", large.replace(".idx", ".keep")]);
  expect((await hearthGit(repo, ["gc"])).status).toBe(0);
  expect(counts(repo)).toMatchObject({ packs: 1, "in-pack": before.length, count: 0 });
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
});

test("gc of a shallow clone, and of a damaged repository, which it leaves as it is", async () => {
  using dir = tempDir();
  const source = join(dir.path, "r.git");
  buildHistory(source, 60);
  const shallow = join(dir.path, "shallow.git");
  git(["clone", "-q", "--bare", "--depth", "10", `file://${source}`, shallow]);
  const before = objectsOf(shallow);
  expect(await hearthGit(shallow, ["gc", "--prune=now"])).toMatchObject({ status: 0, stderr: "" });
  expect(objectsOf(shallow)).toEqual(before);
  expect(git(["-C", shallow, "fsck", "--strict", "--full"]).stderr).toBe("");

  git(["-C", source, "repack", "-adq"]);
  mkdirSync(join(dir.path, "aside"));
  const tree = gitText(["-C", source, "rev-parse", "main^{tree}"]);
  const [pack = ""] = packs(source);
  const bytes = await Bun.file(pack.replace(".idx", ".pack")).bytes();
  Bun.spawnSync(["mv", pack, pack.replace(".idx", ".pack"), join(dir.path, "aside")]);
  git(["-C", source, "unpack-objects", "-q"], { input: bytes });
  Bun.spawnSync(["rm", "-f", join(source, "objects", tree.slice(0, 2), tree.slice(2))]);
  const loose = allObjects(source).length;
  const answer = await hearthGit(source, ["gc", "--prune=now"]);
  expect(answer.status).toBe(128);
  expect(answer.stderr).toContain(tree);
  expect(allObjects(source).length).toBe(loose);
  expect(readdirSync(join(source, "objects")).filter((name) => name.startsWith("tmp"))).toEqual([]);
});

test("gc --auto does nothing for little; a gc at work keeps a second one away", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 5);
  git(["-C", repo, "repack", "-adq"]);
  const before = packs(repo);
  writeFileSync(join(repo, "extra"), "");
  expect((await hearthGit(repo, ["gc", "--auto"])).status).toBe(0);
  expect(packs(repo)).toEqual(before);
  const { hostname } = await import("node:os");
  writeFileSync(join(repo, "gc.pid"), `${process.pid} ${hostname()}`);
  const second = await hearthGit(repo, ["gc"]);
  expect(second.status).toBe(128);
  expect(second.stderr).toContain(`gc is already running on machine '${hostname()}' pid ${process.pid}`);
  expect((await hearthGit(repo, ["gc", "--force"])).status).toBe(0);
  expect((await hearthGit(repo, ["gc", "--what"])).status).toBe(129);
});

test("the times of --prune", () => {
  const now = 1_700_000_000;
  expect(pruneTime("now", now)).toBe(now + 1);
  expect(pruneTime("never", now)).toBeUndefined();
  expect(pruneTime("2.weeks.ago", now)).toBe(now - 14 * 86_400);
  expect(pruneTime("3 days ago", now)).toBe(now - 3 * 86_400);
  expect(pruneTime("2005-04-07T22:13:13Z", now)).toBe(1112911993);
  expect(pruneTime("some day", now)).toBeNaN();
});

test("gc of a SHA-256 repository, with something young that nothing leads to", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", "--object-format=sha256", repo]);
  const out: string[] = [];
  for (let i = 1; i <= 40; i++) {
    const text = `${"a line of some length\n".repeat(50)}${"x".repeat(i)}\n`;
    out.push(
      `commit refs/heads/main\nmark :${i}\ncommitter C <c@example.org> ${1600000000 + i} +0000\ndata 1\n${i % 10}\n`,
    );
    if (i > 1) out.push(`from :${i - 1}\n`);
    out.push(`M 100644 inline dir/file\ndata ${text.length}\n${text}\n`);
  }
  git(["-C", repo, "fast-import", "--quiet"], { input: out.join("") });
  gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: "young\n" });
  const before = objectsOf(repo);
  expect(await hearthGit(repo, ["gc"])).toMatchObject({ status: 0, stderr: "" });
  expect(objectsOf(repo)).toEqual(before);
  expect(counts(repo)).toMatchObject({ count: 0, packs: 2, garbage: 0 });
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).code).toBe(0);
  git(["-C", repo, "repack", "--cruft", "-d", "-q"]);
  expect(objectsOf(repo)).toEqual(before);
  expect((await hearthGit(repo, ["gc", "--prune=now"])).status).toBe(0);
  expect(objectsOf(repo).length).toBe(before.length - 1);
});
