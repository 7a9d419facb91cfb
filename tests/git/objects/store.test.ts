import { expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ObjectTooLarge } from "../../../src/git/errors.ts";
import { parseCommit, parseCommitLinks, serializeCommit } from "../../../src/git/objects/commit.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { parseTag, serializeTag } from "../../../src/git/objects/tag.ts";
import { parseTree, serializeTree } from "../../../src/git/objects/tree.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "./real-git.ts";

function compareWithGit(repo: string): number {
  const store = ObjectStore.open(repo);
  // What is lent lies in memory that is used again: each is to be right when it is handed out.
  const lender = ObjectStore.open(repo);
  const objects = allObjects(repo);
  for (const { oid, type, size } of objects) {
    expect(store.header(oid)).toEqual({ type: type as "blob", sizeBytes: size });
    const object = store.read(oid)!;
    expect(hashObject(SHA1, object.type, object.data)).toBe(oid);
    const { type: lentType, data } = lender.readLent(oid)!;
    expect(hashObject(SHA1, lentType, data)).toBe(oid);
    if (object.type === "tree") expect(hashObject(SHA1, "tree", serializeTree(parseTree(object.data, SHA1)))).toBe(oid);
    if (object.type === "tag") expect(hashObject(SHA1, "tag", serializeTag(parseTag(object.data)))).toBe(oid);
    if (object.type === "commit") {
      const commit = parseCommit(object.data);
      expect(hashObject(SHA1, "commit", serializeCommit(commit))).toBe(oid);
      expect(parseCommitLinks(object.data)).toEqual({
        tree: commit.tree,
        parents: [...commit.parents],
        committerTime: commit.committer.timestamp,
      });
    }
  }
  store.close();
  lender.close();
  return objects.length;
}

test("reads every object as git does: deltas, several packs, loose", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 120);
  git(["-C", repo, "repack", "-adq", "--depth=50", "--window=20"]);
  expect(compareWithGit(repo)).toBeGreaterThan(400);
  const other = git(["-C", repo, "hash-object", "-w", "--stdin"], { input: "loose" }).stdout.toString().trim();
  const half = gitText(["-C", repo, "rev-list", "--objects", "main~60"]).replaceAll(/ .*$/gm, "");
  git(["-C", repo, "pack-objects", "-q", "--delta-base-offset", join(repo, "objects/pack/pack")], { input: half });
  expect(compareWithGit(repo)).toBeGreaterThan(400);
  const store = ObjectStore.open(repo);
  expect(store.findByPrefix(other.slice(0, 7), 5)).toEqual([other]);
  expect(store.findByPrefix(other.slice(0, 3), 5)).toEqual([]);
  expect(store.has("0".repeat(40))).toBe(false);
  expect(store.read("0".repeat(40))).toBeUndefined();
});

test("files that are much alike are lent for about what they cost when their bases are kept", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const lines = Array.from({ length: 2000 }, (_, i) => `line ${i} ${hashObject(SHA1, "blob", Buffer.from(`${i}`))}\n`);
  const oids = Array.from({ length: 40 }, (_, i) => {
    lines[i * 40] = `file ${i}\n`;
    return gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: lines.join("") }).trim();
  });
  const input = oids.map((oid, i) => `${oid} file${i}\n`).join("");
  git(["-C", repo, "pack-objects", "-q", "--depth=50", "--window=2", join(repo, "objects/pack/pack")], { input });
  git(["-C", repo, "prune-packed"]);
  const store = ObjectStore.open(repo);
  const bytes = oids.reduce((sum, oid) => sum + store.header(oid)!.sizeBytes, 0);
  // Each base is made twice at most, and each file once; a chain for each of them would cost twenty times all bytes.
  for (const order of [oids, oids.toReversed()]) {
    const lender = ObjectStore.open(repo);
    lender.metered(bytes * 4, () => {
      for (const oid of order) expect(hashObject(SHA1, "blob", lender.readLent(oid)!.data)).toBe(oid);
    });
    lender.close();
  }
  store.close();
});

test("reads ref-deltas and unpacked histories", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 40);
  git(["-C", repo, "-c", "repack.usedeltabaseoffset=false", "repack", "-adfq"]);
  compareWithGit(repo);
  const pack = readdirSync(join(repo, "objects/pack")).find((name) => name.endsWith(".pack"))!;
  renameSync(join(repo, "objects/pack", pack), join(dir.path, pack));
  git(["-C", repo, "unpack-objects", "-q"], { input: readFileSync(join(dir.path, pack)) });
  compareWithGit(repo);
});

test("notices packs that appear and vanish while it is open", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 10);
  const store = ObjectStore.open(repo);
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  expect(store.read(tip)?.type).toBe("commit");
  const blob = git(["-C", repo, "hash-object", "-w", "--stdin"], { input: "later" }).stdout.toString().trim();
  git(["-C", repo, "update-ref", "refs/tags/blob", blob]);
  git(["-C", repo, "repack", "-adq"]);
  expect(Buffer.from(store.read(blob)!.data).toString()).toBe("later");
  expect(store.read(tip)?.type).toBe("commit");
  expect(store.packs().length).toBe(1);
});

test("a corrupt copy falls back to another one", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 20);
  git(["-C", repo, "repack", "-adq"]);
  const name = readdirSync(join(repo, "objects/pack")).find((file) => file.endsWith(".pack"))!;
  const pack = readFileSync(join(repo, "objects/pack", name));
  const objects = allObjects(repo);
  const spoiled = Buffer.from(pack);
  for (let i = 12; i < spoiled.length - 20; i += 97) spoiled[i]! ^= 0x55;
  renameSync(join(repo, "objects/pack", name), join(dir.path, name));
  writeFileSync(join(repo, "objects/pack", name), spoiled);
  const broken = ObjectStore.open(repo, { verify: true });
  let failures = 0;
  for (const { oid } of objects) {
    try {
      const object = broken.read(oid)!;
      expect(hashObject(SHA1, object.type, object.data)).toBe(oid);
    } catch (error) {
      expect((error as Error).name).toBe("CorruptObject");
      failures++;
    }
  }
  expect(failures).toBeGreaterThan(0);
  const idx = name.replace(".pack", ".idx");
  writeFileSync(join(repo, "objects/pack/pack-second.pack"), pack);
  writeFileSync(join(repo, "objects/pack/pack-second.idx"), readFileSync(join(repo, "objects/pack", idx)));
  for (const { oid } of objects) expect(broken.read(oid)).toBeDefined();
});

test("big objects: refused whole, streamed in pieces, packed and loose", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const content = Buffer.alloc(3_000_000, "0123456789abcdefghij\n");
  const oid = git(["-C", repo, "hash-object", "-w", "--stdin"], { input: content }).stdout.toString().trim();
  const check = async () => {
    const store = ObjectStore.open(repo, { maxObjectBytes: 1_000_000 });
    expect(() => store.read(oid)).toThrow(ObjectTooLarge);
    expect(store.header(oid)).toEqual({ type: "blob", sizeBytes: content.length });
    expect(Buffer.from(await new Response(store.stream(oid)!).arrayBuffer()).equals(content)).toBe(true);
    const reader = store.stream(oid)!.getReader();
    await reader.read();
    await reader.cancel();
    store.close();
  };
  await check();
  git(["-C", repo, "update-ref", "refs/tags/big", oid]);
  git(["-C", repo, "repack", "-adq"]);
  await check();
});
