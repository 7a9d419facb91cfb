import { afterEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchLocally } from "../../../src/git/local-fetch/local-fetch.ts";
import { repack } from "../../../src/git/maintenance/repack.ts";
import { SHA1, SHA256 } from "../../../src/git/objects/format.ts";
import { initRepository } from "../../../src/git/odb/write.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { git, gitText } from "../objects/real-git.ts";

/** Fetching between repositories on one disk, evaluated by real git. */

let root: string | undefined;
afterEach(() => {
  if (root) rmSync(root, { recursive: true, force: true });
  root = undefined;
});

/** A bare repository whose history lies in a repacked pack, in a pushed pack and loose, with things no ref reaches. */
async function aSource(format = SHA1) {
  root ??= mkdtempSync(join(tmpdir(), "hearth-local-"));
  const work = join(root, "work");
  const dir = join(root, "source.git");
  git(["init", "-q", "-b", "main", `--object-format=${format.name}`, work]);
  git(["init", "-q", "--bare", "-b", "main", `--object-format=${format.name}`, dir]);
  const commit = (text: string) => {
    appendFileSync(join(work, "a.txt"), `${text}\n`.repeat(40));
    writeFileSync(join(work, `${text}.txt`), text);
    git(["add", "."], { cwd: work });
    git(["commit", "-qm", text], { cwd: work });
  };
  const push = (...refspecs: string[]) => git(["push", "-qf", dir, ...refspecs], { cwd: work });
  const tips = () => gitText(["for-each-ref", "--format=%(objectname)"], { cwd: dir }).split("\n");
  for (const text of ["one", "two", "three"]) commit(text);
  git(["tag", "-am", "first", "v1", "HEAD~1"], { cwd: work });
  push("main", "v1");
  await repack(dir, { roots: tips(), withClosure: true });
  for (const name of readdirSync(join(dir, "objects")).filter((name) => name.length === 2))
    rmSync(join(dir, "objects", name), { recursive: true });
  // A push as Hearth takes it.
  commit("four");
  const old = gitText(["rev-parse", "HEAD~1"], { cwd: work });
  const tip = gitText(["rev-parse", "HEAD"], { cwd: work });
  const pack = git(["pack-objects", "--stdout", "--revs", "--thin", "-q"], { cwd: work, input: `${tip}\n^${old}\n` });
  const quarantined = await ingestPack({
    repoDir: dir,
    pack: new Blob([new Uint8Array(pack.stdout)]).stream(),
    newTips: [tip],
    connectedTo: [old],
    strict: true,
  });
  admit(quarantined);
  git(["update-ref", "refs/heads/main", tip], { cwd: dir });
  commit("five");
  push("main:main");
  // What a forced push took away, and what never had a name.
  commit("secret");
  push("main:main");
  git(["reset", "-q", "--hard", "HEAD~1"], { cwd: work });
  push("main:main");
  git(["hash-object", "-w", "--stdin"], { cwd: dir, input: "a stray" });
  return { work, dir, commit, push, tips };
}

function stored(dir: string): string[] {
  const all = gitText(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], { cwd: dir });
  return [...new Set(all.split("\n"))].sort();
}

function reached(dir: string, tips: readonly string[]): string[] {
  const all = gitText(["rev-list", "--objects", "--no-object-names", ...tips], { cwd: dir });
  return [...new Set(all.split("\n"))].sort();
}

const packsOf = (dir: string) => readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack"));

test.each([SHA1, SHA256])(
  "an empty repository gets what the tips reach, packs as links, and nothing else: $name",
  async (format) => {
    const { dir, tips } = await aSource(format);
    const target = join(dir, "../target.git");
    initRepository(target, { defaultBranch: "main", format });
    const done = await fetchLocally(dir, target, { tips: tips(), connectedTo: [] });
    expect(done.linkedPacks).toBe(2);
    // The loose commit with its tree and two blobs.
    expect(done.objects).toBe(4);
    expect(stored(target)).toEqual(reached(dir, tips()));
    expect(stored(dir).length).toBe(stored(target).length + 5);
    const shared = packsOf(target).filter((name) => statSync(join(target, "objects/pack", name)).nlink === 2);
    expect(shared.length).toBe(2);
    for (const name of ["refs/heads/main", "refs/tags/v1"])
      git(["update-ref", name, gitText(["rev-parse", name], { cwd: dir })], { cwd: target });
    // Whatever becomes of the source.
    rmSync(dir, { recursive: true });
    expect(git(["fsck", "--strict", "--full"], { cwd: target }).stderr).toBe("");
  },
);

test("one branch takes no pack along that holds more than the branch", async () => {
  const { dir, work, push } = await aSource();
  git(["branch", "old", "HEAD~3"], { cwd: work });
  push("old");
  const tip = gitText(["rev-parse", "old"], { cwd: dir });
  const target = join(dir, "../target.git");
  initRepository(target, { defaultBranch: "old", format: SHA1 });
  const done = await fetchLocally(dir, target, { tips: [tip], connectedTo: [] });
  expect(done.linkedPacks).toBe(0);
  expect(stored(target)).toEqual(reached(dir, [tip]));
});

test("a repository that has most of it gets the rest, and a second time nothing", async () => {
  const { dir, commit, push, tips } = await aSource();
  const target = join(dir, "../target.git");
  initRepository(target, { defaultBranch: "main", format: SHA1 });
  const before = tips();
  await fetchLocally(dir, target, { tips: before, connectedTo: [] });
  commit("six");
  push("main");
  const done = await fetchLocally(dir, target, { tips: tips(), connectedTo: before });
  expect(done).toEqual({ linkedPacks: 0, objects: 4 });
  expect(stored(target)).toEqual(reached(dir, tips()));
  expect(await fetchLocally(dir, target, { tips: tips(), connectedTo: tips() })).toEqual({
    linkedPacks: 0,
    objects: 0,
  });
});

test("damage in the source is found before it is copied", async () => {
  const { dir, tips } = await aSource();
  const target = join(dir, "../target.git");
  initRepository(target, { defaultBranch: "main", format: SHA1 });
  const tip = gitText(["rev-parse", "main"], { cwd: dir });
  const blob = gitText(["rev-parse", `${tip}:five.txt`], { cwd: dir });
  rmSync(join(dir, "objects", blob.slice(0, 2), blob.slice(2)));
  await expect(fetchLocally(dir, target, { tips: tips(), connectedTo: [] })).rejects.toThrow("missing object");
  expect(readdirSync(join(target, "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
});
