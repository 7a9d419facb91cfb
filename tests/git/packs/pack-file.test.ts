import { expect, test } from "bun:test";
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { CorruptObject } from "../../../src/git/errors.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { applyDelta, readDeltaSizes } from "../../../src/git/packs/delta.ts";
import { EntryHeader, encodeBaseDistance, encodeEntryHeader } from "../../../src/git/packs/entry.ts";
import { writePackIndex } from "../../../src/git/packs/index-writer.ts";
import { PackIndex } from "../../../src/git/packs/pack-index.ts";
import { Windows } from "../../../src/git/packs/windows.ts";
import { newSeed, random } from "../../random.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { deltaOf } from "../receive/packs.ts";

function packedHistory(dir: string): { repo: string; stem: string } {
  const repo = join(dir, "r.git");
  buildHistory(repo, 40);
  git(["-C", repo, "repack", "-adfq", "--depth=20"]);
  const pack = readdirSync(join(repo, "objects/pack")).find((name) => name.endsWith(".pack"))!;
  return { repo, stem: join(repo, "objects/pack", pack.replace(".pack", "")) };
}

test("entries are where git verify-pack says, with the deltas and stored sizes it says", () => {
  using dir = tempDir();
  const { repo, stem } = packedHistory(dir.path);
  const store = ObjectStore.open(repo);
  const [pack] = store.packs();
  const bytes = readFileSync(`${stem}.pack`);
  let deltas = 0;
  const lines = gitText(["-C", repo, "verify-pack", "-v", `${stem}.idx`]).split("\n");
  for (const line of lines) {
    const match = /^([0-9a-f]{40}) (\w+) +(\d+) (\d+) (\d+)(?: (\d+) ([0-9a-f]{40}))?$/.exec(line);
    if (!match) continue;
    const [, oid = "", type, size, stored, offset, depth, base] = match;
    const found = store.locate(oid)!;
    expect(found.offset).toBe(Number(offset));
    const entry = pack!.entryAt(found.offset);
    expect(entry.sizeBytes).toBe(Number(size));
    const end = pack!.entryEnd(found.offset);
    expect(end - found.offset).toBe(Number(stored));
    const raw = new Uint8Array(end - found.offset);
    expect(pack!.readRaw(raw, found.offset)).toBe(raw.length);
    expect(Buffer.from(raw).equals(bytes.subarray(found.offset, end))).toBe(true);
    expect(pack!.typeOf(found.offset)).toBe(type as "blob");
    if (depth === undefined) expect(entry.base).toBeUndefined();
    else {
      deltas++;
      expect(entry.base).toEqual({ offset: store.locate(base!)!.offset });
    }
  }
  expect(deltas).toBeGreaterThan(20);
});

test("offsets beyond 31 bits, read as git writes them and written as git reads them", () => {
  using dir = tempDir();
  const { repo, stem } = packedHistory(dir.path);
  const before = allObjects(repo);
  const plain = PackIndex.open(`${stem}.idx`, SHA1);
  const rows = Array.from({ length: plain.objectCount }, (_, row) => plain.offsetOf(row));
  // git puts every offset from 0x40 on into the 64-bit table.
  rmSync(`${stem}.idx`);
  git(["index-pack", "--index-version=2,0x40", `${stem}.pack`]);
  const wide = PackIndex.open(`${stem}.idx`, SHA1);
  expect(Array.from({ length: wide.objectCount }, (_, row) => wide.offsetOf(row))).toEqual(rows);
  const store = ObjectStore.open(repo, { verify: true });
  for (const { oid } of before) expect(store.read(oid)).toBeDefined();

  const path = join(dir.path, "big.idx");
  const offset = (row: number) => 12 + row * 3_000_000_000;
  const word = (row: number, index: number) => (index === 0 ? (row * 0x9e3779b1) >>> 0 : row);
  writePackIndex(path, SHA1, { count: 50, word, crc: (row) => row, offset }, new Uint8Array(20));
  const big = PackIndex.open(path, SHA1);
  for (let row = 0; row < 50; row++) {
    const oid = word(row, 0).toString(16).padStart(8, "0") + row.toString(16).padStart(8, "0").repeat(4);
    expect(big.find(oid)).toBe(offset(row));
  }
  expect(big.find("f".repeat(40))).toBe(-1);
  plain.close();
  wide.close();
  big.close();
});

test("a damaged index or pack gives an error or the right object, never a hang or a crash", () => {
  using dir = tempDir();
  const { repo, stem } = packedHistory(dir.path);
  const objects = allObjects(repo);
  const next = random(newSeed());
  const pick = (n: number) => Math.floor(next() * n);
  for (const suffix of [".idx", ".pack"]) {
    const good = readFileSync(stem + suffix);
    chmodSync(stem + suffix, 0o644);
    for (let i = 0; i < 60; i++) {
      let bytes = Buffer.from(good);
      for (let k = 0; k < 20; k++) bytes[pick(bytes.length)] = pick(256);
      if (i % 5 === 0) bytes = bytes.subarray(0, pick(bytes.length));
      writeFileSync(stem + suffix, bytes);
      const store = ObjectStore.open(repo, { verify: true });
      for (let k = 0; k < 40; k++) {
        const { oid, type, size } = objects[pick(objects.length)]!;
        try {
          const object = store.read(oid);
          if (object) expect([object.type, object.data.length]).toEqual([type as "blob", size]);
          store.header(oid);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(["CorruptObject", "ObjectTooLarge"]).toContain((error as Error).name);
        }
      }
      store.close();
    }
    writeFileSync(stem + suffix, good);
  }
});

test("streams of every length around windows and buffers are inflated, and such as are longer or shorter than they say are refused", () => {
  using dir = tempDir();
  const path = join(dir.path, "streams");
  const sizes = [0, 1, 257, 258, 259, 16_383, 32_767, 32_768, 33_000, 262_144, 262_145, 300_000];
  const next = random(newSeed());
  const contents = sizes.map((size) => Buffer.from(Array.from({ length: size }, () => 97 + Math.floor(next() * 16))));
  const streams = contents.map((content) => deflateSync(content));
  writeFileSync(path, Buffer.concat([...streams, Buffer.alloc(20)]));
  const fd = openSync(path, "r");
  const file = { fd, serial: 0, sizeBytes: statSync(path).size };
  const windows = new Windows();
  let position = 0;
  for (const [at, content] of contents.entries()) {
    const size = content.length;
    const where = [file, position] as const;
    expect(content.equals(windows.inflate(...where, size))).toBe(true);
    expect(content.equals(windows.inflateLent(...where, size).subarray(0, size))).toBe(true);
    for (const spare of [0, 1, 100, 1000]) {
      const out = Buffer.alloc(7 + size + spare);
      windows.inflateInto(...where, out, 7, size, out.length);
      expect(content.equals(out.subarray(7, 7 + size))).toBe(true);
      const other = Buffer.alloc(8 + size + spare);
      expect(() => windows.inflateInto(...where, other, 7, size + 1, 8 + size + spare)).toThrow(/shorter/);
      if (size > 0) expect(() => windows.inflateInto(...where, out, 7, size - 1, out.length)).toThrow(/longer/);
    }
    position += streams[at]!.length;
  }
  windows.close();
  closeSync(fd);
});

test("deltas: sizes, copies of 64 KiB, and what they may not do", () => {
  const base = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251));
  const whole = Buffer.from([...deltaOf(70_000, 65_536, []), 0x80]);
  expect(Buffer.from(applyDelta(base, whole)).equals(base.subarray(0, 65_536))).toBe(true);
  const mixed = deltaOf(70_000, 25, [{ insert: "hello" }, { copy: [69_980, 20] }]);
  expect(Buffer.from(applyDelta(base, mixed)).toString("latin1")).toBe(
    `hello${base.subarray(69_980).toString("latin1")}`,
  );
  expect(readDeltaSizes(mixed)).toEqual({ baseSize: 70_000, resultSize: 25, start: 4 });
  for (const delta of [
    Buffer.alloc(0),
    Buffer.from([0x80]),
    deltaOf(69_999, 1, [{ insert: "x" }]),
    deltaOf(70_000, 1, [{ insert: "xy" }]),
    deltaOf(70_000, 3, [{ insert: "xy" }]),
    deltaOf(70_000, 10, [{ copy: [69_999, 10] }]),
    Buffer.from([...deltaOf(70_000, 1, []), 0]),
    Buffer.from([...deltaOf(70_000, 5, []), 5, 1, 2]),
    Buffer.from([...deltaOf(70_000, 5, []), 0xff, 1]),
  ])
    expect(() => applyDelta(base, delta)).toThrow(CorruptObject);
});

test("entry headers survive the round trip at every size", () => {
  const header = new EntryHeader(SHA1);
  for (const size of [0, 15, 16, 2047, 2048, 2 ** 31, 2 ** 32 + 5, 2 ** 40 + 123]) {
    for (const distance of [1, 127, 128, 16_511, 16_512, 2 ** 31, 2 ** 36 + 7]) {
      const bytes = Buffer.concat([encodeEntryHeader(6, size), encodeBaseDistance(distance)]);
      expect(header.read(bytes, 0, bytes.length)).toBe(true);
      expect([header.kind, header.sizeBytes, header.baseDistance, header.length]).toEqual([
        6,
        size,
        distance,
        bytes.length,
      ]);
      for (let cut = 0; cut < bytes.length; cut++) expect(header.read(bytes, 0, cut)).toBe(false);
    }
  }
  expect(header.read(Buffer.from([0x50]), 0, 1)).toBe(true);
  expect(header.problem).toMatch(/unknown type 5/);
  header.read(Buffer.alloc(20, 0xff), 0, 20);
  expect(header.problem).toMatch(/impossible/);
});
