import { expect, test } from "bun:test";
import { changedFiles } from "../../../src/git/diff/changes.ts";
import { diffOfFile } from "../../../src/git/diff/file-diff.ts";
import { diffTrees } from "../../../src/git/diff/tree.ts";
import { changedPathFilter } from "../../../src/git/graph/changed-paths.ts";
import { languageStatistics } from "../../../src/git/languages/statistics.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import type { ObjectSource } from "../../../src/git/objects/source.ts";
import { serializeTree } from "../../../src/git/objects/tree.ts";
import type { GitObject, ObjectType, Oid } from "../../../src/git/objects/types.ts";
import { listTree } from "../../../src/git/trees.ts";
import { threadMs } from "../../growth.ts";

class Memory implements ObjectSource {
  readonly format = SHA1;
  private readonly objects = new Map<Oid, GitObject>();

  put(type: ObjectType, data: Uint8Array): Oid {
    const oid = hashObject(SHA1, type, data);
    this.objects.set(oid, { type, data });
    return oid;
  }
  has(oid: Oid) {
    return this.objects.has(oid);
  }
  read(oid: Oid) {
    return this.objects.get(oid);
  }
  header(oid: Oid) {
    const object = this.objects.get(oid);
    return object && { type: object.type, sizeBytes: object.data.length };
  }
  stream(): undefined {
    return undefined;
  }
  findByPrefix(): Oid[] {
    return [];
  }
}

/** A tree of ten folders that hold ten folders each, and so on: as many paths as 10 to the power of `depth`. */
function bomb(store: Memory, depth: number, leaf: Oid): Oid {
  let tree = leaf;
  for (let i = 0; i < depth; i++) {
    const entries = Array.from({ length: 10 }, (_, n) => ({ mode: 0o40000, name: `d${n}`, oid: tree }));
    tree = store.put("tree", serializeTree(entries));
  }
  return tree;
}

test("a few small trees that unfold to billions of paths are given up", () => {
  const store = new Memory();
  const empty = store.put("tree", new Uint8Array(0));
  const tree = bomb(store, 12, empty);
  expect(() => diffTrees(store, undefined, tree, () => true, { maxTrees: 10_000 })).toThrow("too large");
  expect([...changedPathFilter(store, undefined, tree)]).toEqual([0xff]);
  const blob = store.put("blob", Buffer.from("x"));
  const full = bomb(store, 12, store.put("tree", serializeTree([{ mode: 0o100644, name: "f.c", oid: blob }])));
  expect(changedFiles(store, undefined, full, { maxFiles: 1000 }).files.length).toBe(1000);
  expect(listTree(store, full, { limit: 50 })).toMatchObject({ more: true });
  expect(() => languageStatistics(store, full)).toThrow("too large");
});

test("folders nested beyond reason are refused, not overflown", () => {
  const store = new Memory();
  let tree = store.put("tree", new Uint8Array(0));
  for (let i = 0; i < 5000; i++) tree = store.put("tree", serializeTree([{ mode: 0o40000, name: "d", oid: tree }]));
  expect(() => diffTrees(store, undefined, tree, () => true)).toThrow("too deep");
  expect(() => listTree(store, tree, { limit: 10_000 })).toThrow("too deep");
  expect([...changedPathFilter(store, undefined, tree)]).toEqual([0xff]);
});

test("malformed trees are refused", () => {
  const store = new Memory();
  for (const text of [
    "100644",
    "100644 a",
    "100644 a\0short",
    "99 a\0aaaaaaaaaaaaaaaaaaaa",
    `100644 a\0${"x".repeat(20)}1`,
  ]) {
    const tree = store.put("tree", Buffer.from(text));
    expect(() => diffTrees(store, undefined, tree, () => true)).toThrow("tree");
  }
});

test("a file of a million lines that all differ is compared in bounded time", () => {
  const store = new Memory();
  const file = (seed: number) =>
    store.put("blob", Buffer.from(Array.from({ length: 500_000 }, (_, i) => `${(i * seed) % 7}\n`).join("")));
  const change = {
    status: "modified" as const,
    oldPath: "a",
    newPath: "a",
    oldMode: 0o100644,
    newMode: 0o100644,
    oldOid: file(3),
    newOid: file(5),
  };
  const before = threadMs();
  expect(diffOfFile(store, change)).toMatchObject({ tooLarge: true, hunks: [] });
  expect(threadMs() - before).toBeLessThan(20_000);
});
