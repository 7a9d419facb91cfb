import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectType } from "../objects/types.ts";

/**
 * An entry of a pack (gitformat-pack, "pack-*.pack files have the following format"):
 *
 *     type and size   1tttssss, then 7 more bits of size per byte, lowest first, while the top bit is set
 *     base            ofs-delta: distance back to the base, 7 bits per byte, highest first, each continuation adding 1
 *                     ref-delta: the base's id (20 or 32 bytes)
 *     zlib stream     the content, or the delta; size is its inflated size
 */

export const PACK_HEADER_BYTES = 12;

export const KIND_COMMIT = 1;
export const KIND_TREE = 2;
export const KIND_BLOB = 3;
export const KIND_TAG = 4;
export const KIND_OFS_DELTA = 6;
export const KIND_REF_DELTA = 7;

const TYPES: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];
const KINDS: Record<ObjectType, number> = { commit: KIND_COMMIT, tree: KIND_TREE, blob: KIND_BLOB, tag: KIND_TAG };

export function typeOfKind(kind: number): ObjectType | undefined {
  return TYPES[kind];
}

export function kindOfType(type: ObjectType): number {
  return KINDS[type];
}

/** Longest possible entry header: 8 bytes of type and size, and a SHA-256 base id. */
export const MAX_ENTRY_HEADER_BYTES = 40;

/** A parsed header; one object is reused for many entries. */
export class EntryHeader {
  kind = 0;
  /** Inflated size of the zlib stream in bytes. */
  sizeBytes = 0;
  /** Distance from the entry's start back to its base, for an ofs-delta. */
  baseDistance = 0;
  /** Offset of the base's id in the bytes read, for a ref-delta. */
  baseOidAt = 0;
  /** Bytes before the zlib stream. */
  length = 0;
  private readonly oidBytes: number;

  constructor(format: ObjectFormat) {
    this.oidBytes = format.oidBytes;
  }

  /**
   * Reads the header at `start`. Returns false when it extends beyond `end`; sets `problem` when it is malformed.
   */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.problem = undefined;
    let at = start;
    if (at >= end) return false;
    let byte = bytes[at++]!;
    this.kind = (byte >> 4) & 7;
    let size = byte & 0x0f;
    for (let scale = 16; byte & 0x80; scale *= 128) {
      if (at >= end) return false;
      if (scale > 2 ** 46) return this.malformed("entry with an impossible size");
      byte = bytes[at++]!;
      size += (byte & 0x7f) * scale;
    }
    this.sizeBytes = size;
    if (this.kind === KIND_OFS_DELTA) {
      if (at >= end) return false;
      byte = bytes[at++]!;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        if (at >= end) return false;
        if (distance > 2 ** 45) return this.malformed("delta with an impossible base offset");
        byte = bytes[at++]!;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      this.baseDistance = distance;
    } else if (this.kind === KIND_REF_DELTA) {
      if (at + this.oidBytes > end) return false;
      this.baseOidAt = at;
      at += this.oidBytes;
    } else if (TYPES[this.kind] === undefined) return this.malformed(`entry of unknown type ${this.kind}`);
    this.length = at - start;
    return true;
  }

  problem: string | undefined;

  private malformed(problem: string): true {
    this.problem = problem;
    return true;
  }
}

/** Encodes the type-and-size bytes of an entry. */
export function encodeEntryHeader(kind: number, sizeBytes: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (kind << 4) | (sizeBytes % 16);
  let rest = Math.floor(sizeBytes / 16);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Uint8Array.from(bytes);
}

/** Encodes the base distance of an ofs-delta, as stored after its type and size. */
export function encodeBaseDistance(distance: number): Uint8Array {
  const bytes = [distance % 128];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift((rest % 128) | 0x80);
  }
  return Uint8Array.from(bytes);
}

/** Encodes the 12-byte header of a pack. */
export function encodePackHeader(objectCount: number): Uint8Array {
  const header = new Uint8Array(PACK_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x5041434b);
  view.setUint32(4, 2);
  view.setUint32(8, objectCount);
  return header;
}
