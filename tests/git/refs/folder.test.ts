import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRefConflicts } from "../../../src/git/refs/conflicts.ts";
import { RefsLocked } from "../../../src/git/refs/files.ts";
import type { FolderRefs } from "../../../src/git/refs/folder.ts";
import { projectionStamp, readProjection, writeProjection } from "../../../src/git/refs/projection.ts";
import { aFolder, git, ok, refsOf, removeFolders } from "../transport/server.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

afterAll(removeFolders);

async function aBareRepo() {
  const root = aFolder();
  const work = join(root, "work");
  await ok(root, "init", "-q", work);
  for (const message of ["one", "two"]) await ok(work, "commit", "-q", "--allow-empty", "-m", message);
  await ok(work, "tag", "-a", "-m", "t", "v1", "HEAD~1");
  const bare = join(root, "bare.git");
  await ok(root, "clone", "-q", "--bare", work, bare);
  const [two = "", one = ""] = (await ok(bare, "rev-list", "main")).split("\n");
  return { bare, one, two, tag: await ok(bare, "rev-parse", "v1") };
}

const listed = (dir: string) => ok(dir, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)");
const asGit = (refs: FolderRefs) =>
  refs
    .list()
    .map((ref) => `${ref.name} ${ref.oid} ${ref.peeled ?? ""}`.trim())
    .join("\n");

test("refs are read as git reads them, loose over packed", async () => {
  const { bare, one } = await aBareRepo();
  await ok(bare, "update-ref", "refs/heads/loose/deep", one);
  await ok(bare, "pack-refs", "--all");
  await ok(bare, "update-ref", "refs/heads/main", one);
  const refs = refsOf(bare);
  expect(asGit(refs)).toBe((await listed(bare)).replace(/ +$/gm, ""));
  expect(refs.resolve("refs/heads/main")?.oid).toBe(one);
  expect(refs.resolve("refs/heads/none")).toBeUndefined();
  expect(refs.resolve("../bare.git/HEAD")).toBeUndefined();
  expect(refs.head()).toBe("refs/heads/main");
});

test("changes compare and swap, and git sees them", async () => {
  const { bare, one, two } = await aBareRepo();
  await ok(bare, "pack-refs", "--all");
  const refs = refsOf(bare);
  const results = refs.update(
    [
      { name: "refs/heads/new/deep", oldOid: null, newOid: two },
      { name: "refs/heads/main", oldOid: one, newOid: two },
      { name: "refs/tags/v1", oldOid: refs.resolve("refs/tags/v1")!.oid, newOid: null },
      { name: "refs/heads/main/sub", oldOid: null, newOid: two },
    ],
    { atomic: false },
  );
  expect(results.map((result) => (result.ok ? "ok" : result.reason))).toEqual([
    "ok",
    "failed to update ref",
    "ok",
    "failed to update ref",
  ]);
  expect(asGit(refs)).toBe((await listed(bare)).replace(/ +$/gm, ""));
  expect(refs.list().map((ref) => ref.name)).toEqual(["refs/heads/main", "refs/heads/new/deep"]);
});

test("an atomic change that cannot be whole changes nothing", async () => {
  const { bare, one, two } = await aBareRepo();
  const refs = refsOf(bare);
  const before = asGit(refs);
  const results = refs.update(
    [
      { name: "refs/heads/x", oldOid: null, newOid: two },
      { name: "refs/heads/main", oldOid: one, newOid: two },
    ],
    { atomic: true },
  );
  expect(results.map((result) => (result.ok ? "ok" : result.reason))).toEqual([
    "atomic transaction failed",
    "failed to update ref",
  ]);
  expect(asGit(refs)).toBe(before);
});

test("a ref may take the place of a deleted folder of refs", async () => {
  const { bare, two } = await aBareRepo();
  const refs = refsOf(bare);
  refs.update([{ name: "refs/heads/a/b", oldOid: null, newOid: two }], { atomic: false });
  const swapped = refs.update(
    [
      { name: "refs/heads/a", oldOid: null, newOid: two },
      { name: "refs/heads/a/b", oldOid: two, newOid: null },
    ],
    { atomic: true },
  );
  expect(swapped.every((result) => result.ok)).toBe(true);
  expect((await git(bare, ["fsck", "--strict"])).code).toBe(0);
  expect(refs.resolve("refs/heads/a")?.oid).toBe(two);
});

test("names and folders of names exclude each other", () => {
  const oid = "1".repeat(40);
  const create = (name: string) => ({ name, oldOid: null, newOid: oid });
  const existing = ["refs/heads/a", "refs/heads/b/c", "refs/heads/b/d"];
  const conflicts = (...changes: Parameters<typeof findRefConflicts>[1]) =>
    [...findRefConflicts(existing, changes)].map(([name, { conflictsWith }]) => [name, conflictsWith]);
  expect(conflicts(create("refs/heads/a/x"))).toEqual([["refs/heads/a/x", "refs/heads/a"]]);
  expect(conflicts(create("refs/heads/b"))).toEqual([["refs/heads/b", "refs/heads/b/c"]]);
  expect(conflicts(create("refs/heads/a-x"), create("refs/heads/b-x"), create("refs/heads/b/e"))).toEqual([]);
  expect(conflicts(create("refs/heads/n"), create("refs/heads/n/m"))).toEqual([["refs/heads/n/m", "refs/heads/n"]]);
  expect(conflicts(create("refs/heads/n/m"), create("refs/heads/n"))).toEqual([["refs/heads/n", "refs/heads/n/m"]]);
  expect(conflicts({ name: "refs/heads/a", oldOid: oid, newOid: null }, create("refs/heads/a/x"))).toEqual([]);
  expect(conflicts({ name: "refs/heads/a", oldOid: oid, newOid: oid })).toEqual([]);
});

test("a projection is what git reads, and loose refs give way to it", async () => {
  const { bare, one, two, tag } = await aBareRepo();
  await ok(bare, "update-ref", "refs/heads/old/deep", one);
  const mark = projectionStamp(bare);
  const projection = {
    head: "refs/heads/trunk",
    refs: [
      { name: "refs/tags/v1", oid: tag, peeled: one },
      { name: "refs/heads/trunk", oid: two },
      { name: "refs/heads/ünïcode", oid: one },
    ],
  };
  writeProjection(bare, projection);
  expect(await listed(bare)).toBe(
    [`refs/heads/trunk ${two} `, `refs/heads/ünïcode ${one} `, `refs/tags/v1 ${tag} ${one}`].join("\n"),
  );
  expect(await ok(bare, "symbolic-ref", "HEAD")).toBe("refs/heads/trunk");
  expect(existsSync(join(bare, "refs/heads/old"))).toBe(false);
  expect(readFileSync(join(bare, "packed-refs"), "utf8")).toStartWith("# pack-refs with: peeled fully-peeled sorted");
  expect((await git(bare, ["fsck", "--strict"])).code).toBe(0);
  expect(readProjection(bare).refs.map((ref) => ref.name)).toEqual([
    "refs/heads/trunk",
    "refs/heads/ünïcode",
    "refs/tags/v1",
  ]);
  expect(readProjection(bare)).toMatchObject({ head: "refs/heads/trunk" });
  expect(projectionStamp(bare)).not.toBe(mark);
  await ok(bare, "update-ref", "refs/heads/trunk", one);
  expect(readProjection(bare).refs[0]?.oid).toBe(one);
});

test("a projection waits for no one's lock, unless it owns the folder", async () => {
  const { bare } = await aBareRepo();
  writeFileSync(join(bare, "packed-refs.lock"), "");
  const projection = { head: "refs/heads/main", refs: [] };
  expect(() => writeProjection(bare, projection)).toThrow(RefsLocked);
  writeProjection(bare, projection, { breakLocks: true });
  expect(readProjection(bare)).toEqual(projection);
});
