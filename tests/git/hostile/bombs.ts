import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject, oidBytes } from "../../../src/git/objects/hash.ts";
import { encodeBaseDistance, encodeEntryHeader, encodePackHeader } from "../../../src/git/packs/entry.ts";
import { deltaOf } from "../receive/packs.ts";
import { EMPTY_BLOB, EMPTY_TREE, type Entry, treeOf } from "./corpus/objects.ts";

/** A pack of at most a megabyte or so that asks for far more. */
export interface Bomb {
  readonly story: string;
  pack(): Buffer;
}

/** Puts a pack together piece by piece; tens of thousands of entries are no trouble. */
class PackBuilder {
  private readonly parts: Uint8Array[] = [];
  private at = 12;
  count = 0;

  /** Answers the offset of the entry. `baseAt`: of an ofs-delta; `baseOid`: of a ref-delta. */
  add(kind: number, content: Uint8Array, base: { baseAt?: number; baseOid?: string } = {}, level = 6): number {
    const offset = this.at;
    const head = [encodeEntryHeader(kind, content.length)];
    if (base.baseAt !== undefined) head.push(encodeBaseDistance(offset - base.baseAt));
    if (base.baseOid !== undefined) head.push(oidBytes(base.baseOid));
    for (const part of [...head, deflateSync(content, { level })]) {
      this.parts.push(part);
      this.at += part.length;
    }
    this.count++;
    return offset;
  }

  done(count = this.count): Buffer {
    const body = Buffer.concat([encodePackHeader(count), ...this.parts]);
    return Buffer.concat([body, createHash("sha1").update(body).digest()]);
  }
}

const WHO = "A <a@b.c> 1 +0000";

function chain(length: number, by: "offset" | "id", grows: boolean): Buffer {
  const pack = new PackBuilder();
  let size = 1000;
  let text = "x".repeat(size);
  let at = pack.add(3, Buffer.from(text));
  for (let i = 0; i < length; i++) {
    const insert = String(i).padStart(8, "0");
    const delta = deltaOf(size, grows ? size + 8 : size, [{ insert }, { copy: [0, grows ? size : size - 8] }]);
    const oid = by === "id" ? hashObject(SHA1, "blob", Buffer.from(text)) : "";
    at = by === "id" ? pack.add(7, delta, { baseOid: oid }, 1) : pack.add(6, delta, { baseAt: at }, 1);
    if (by === "id") text = insert + (grows ? text : text.slice(0, size - 8));
    if (grows) size += 8;
  }
  return pack.done();
}

/** Deltas that copy 16 MiB over and over of a base that is a few kilobytes when it is packed. */
function copies(count: number, sizeBytes: number): Buffer {
  const pack = new PackBuilder();
  const base = pack.add(3, Buffer.alloc(sizeBytes));
  for (let i = 0; i < count; i++) {
    const steps = Array.from({ length: 6 }, () => ({ copy: [0, Math.min(sizeBytes, 0xffffff)] as [number, number] }));
    const made = steps.length * Math.min(sizeBytes, 0xffffff) + 8;
    pack.add(6, deltaOf(sizeBytes, made, [...steps, { insert: String(i).padStart(8) }]), { baseAt: base });
  }
  return pack.done();
}

function cycle(count: number): Buffer {
  const pack = new PackBuilder();
  for (let i = 0; i < count; i++)
    pack.add(7, deltaOf(8, 8, [{ copy: [0, 8] }]), {
      baseOid: createHash("sha1")
        .update(String((i + 1) % count))
        .digest("hex"),
    });
  return pack.done();
}

function manyEntries(count: number, mode: string, oid: (i: number) => string): Buffer {
  const entries = Array.from({ length: count }, (_, i): Entry => [mode, `f${String(i).padStart(7, "0")}`, oid(i)]);
  const pack = new PackBuilder();
  pack.add(2, treeOf(...entries));
  return pack.done();
}

function nestedTrees(depth: number): Buffer {
  const pack = new PackBuilder();
  let oid = EMPTY_TREE;
  for (let i = 0; i < depth; i++) {
    const data = treeOf(["40000", "d", oid]);
    pack.add(2, data, {}, 1);
    oid = hashObject(SHA1, "tree", data);
  }
  return pack.done();
}

function tagChain(length: number): Buffer {
  const pack = new PackBuilder();
  let oid = EMPTY_BLOB;
  for (let i = 0; i < length; i++) {
    const data = Buffer.from(`object ${oid}\ntype ${i === 0 ? "blob" : "tag"}\ntag v${i}\ntagger ${WHO}\n\n`);
    pack.add(4, data, {}, 1);
    oid = hashObject(SHA1, "tag", data);
  }
  return pack.done();
}

function one(kind: number, content: Uint8Array, count = 1): Buffer {
  const pack = new PackBuilder();
  pack.add(kind, content);
  return pack.done(count);
}

function sized(claimBytes: number): Buffer {
  const body = Buffer.concat([encodePackHeader(1), encodeEntryHeader(2, claimBytes), deflateSync(Buffer.alloc(100))]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const fake = (i: number) => i.toString(16).padStart(40, "a");

export const bombs: readonly Bomb[] = [
  { story: "a blob of zeros that inflates a thousandfold", pack: () => one(3, Buffer.alloc(100 * 2 ** 20)) },
  { story: "a tree of zeros that inflates a thousandfold", pack: () => one(2, Buffer.alloc(120 * 2 ** 20)) },
  { story: "a commit of a hundred megabytes of header", pack: () => one(1, Buffer.alloc(100 * 2 ** 20, 0x20)) },
  { story: "a tag of a hundred megabytes of lines", pack: () => one(4, Buffer.alloc(100 * 2 ** 20, 0x0a)) },
  { story: "deltas that copy sixteen megabytes again and again", pack: () => copies(200, 16 * 2 ** 20) },
  { story: "deltas that copy a few bytes, thousands of times", pack: () => copies(2000, 1000) },
  { story: "a chain of 6,000 deltas by offset", pack: () => chain(6000, "offset", false) },
  { story: "a chain of 2,000 deltas by id, each larger", pack: () => chain(2000, "id", true) },
  { story: "5,000 deltas in a circle", pack: () => cycle(5000) },
  { story: "four billion objects promised", pack: () => one(3, Buffer.alloc(0), 0xffffffff) },
  { story: "five million objects promised", pack: () => one(3, Buffer.alloc(0), 5_000_000) },
  { story: "a tree of a terabyte promised", pack: () => sized(2 ** 40) },
  { story: "a tree of a hundred megabytes promised", pack: () => sized(100 * 2 ** 20) },
  { story: "a tree of 300,000 files that are not there", pack: () => manyEntries(300_000, "100644", fake) },
  { story: "a tree that names one file 300,000 times", pack: () => manyEntries(300_000, "100644", () => EMPTY_BLOB) },
  {
    story: "a tree with .gitmodules by nine other names",
    pack: () => one(2, treeOf(...Array.from({ length: 9 }, (_, i): Entry => ["100644", `gi7eba~${i + 1}`, fake(i)]))),
  },
  { story: "folders nested 3,000 deep", pack: () => nestedTrees(3000) },
  { story: "3,000 tags of tags", pack: () => tagChain(3000) },
  {
    story: "a commit of 20,000 parents",
    pack: () =>
      one(
        1,
        Buffer.from(
          `tree ${EMPTY_TREE}\n${Array.from({ length: 20_000 }, (_, i) => `parent ${fake(i)}\n`).join("")}author ${WHO}\ncommitter ${WHO}\n\n`,
        ),
      ),
  },
];
