import { CorruptObject } from "./errors.ts";
import type { ObjectFormat } from "./objects/format.ts";
import { oidAt } from "./objects/hash.ts";
import { decodeName } from "./objects/names.ts";
import type { Oid } from "./objects/types.ts";

/** An entry of the index of a working tree. */
export interface IndexEntry {
  readonly path: string;
  /** 0; 1 to 3 for the sides of a conflict. */
  readonly stage: number;
  readonly mode: number;
  readonly oid: Oid;
}

const FIXED_BYTES = 40;
const EXTENDED = 0x4000;

/**
 * The entries of an index file (gitformat-index(5), versions 2 to 4), in its order.
 * @throws CorruptObject
 */
export function* indexEntries(data: Uint8Array, format: ObjectFormat): Generator<IndexEntry> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 12 || decodeName(data, 0, 4) !== "DIRC") throw new CorruptObject("index file is no index");
  const version = view.getUint32(4);
  if (version < 2 || version > 4) throw new CorruptObject(`index file has the unknown version ${version}`);
  let at = 12;
  let before: Uint8Array = new Uint8Array(0);
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = at;
    const flagsAt = at + FIXED_BYTES + format.oidBytes;
    if (flagsAt + 4 > data.length) throw new CorruptObject("index file is cut short");
    const flags = view.getUint16(flagsAt);
    at = flagsAt + (flags & EXTENDED ? 4 : 2);
    let kept: Uint8Array = new Uint8Array(0);
    if (version === 4) {
      const { value, next } = stripped(data, at);
      if (value > before.length) throw new CorruptObject("index file has a malformed path");
      kept = before.subarray(0, before.length - value);
      at = next;
    }
    const end = data.indexOf(0, at);
    if (end < 0) throw new CorruptObject("index file is cut short");
    const path = kept.length === 0 ? data.subarray(at, end) : Buffer.concat([kept, data.subarray(at, end)]);
    before = path;
    yield {
      path: decodeName(path),
      stage: (flags >> 12) & 3,
      mode: view.getUint32(start + 24),
      oid: oidAt(format, data, start + FIXED_BYTES),
    };
    // Entries of the older versions are filled up to a multiple of eight, with one NUL at least.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
}

/** A number as offsets of deltas have it: how many bytes of the path before are not part of this one. */
function stripped(data: Uint8Array, start: number): { value: number; next: number } {
  let value = data[start]! & 0x7f;
  let at = start;
  while (data[at]! & 0x80) {
    at++;
    if (at - start > 4 || at >= data.length) throw new CorruptObject("index file has a malformed path");
    value = ((value + 1) << 7) | (data[at]! & 0x7f);
  }
  return { value, next: at + 1 };
}
