import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { oidBytes } from "../../../src/git/objects/hash.ts";
import { encodeBaseDistance, encodeEntryHeader, encodePackHeader } from "../../../src/git/packs/entry.ts";

/** Packs made by hand, to hold what no git would send. */

export type HandEntry =
  | { kind: 1 | 2 | 3 | 4; data: Uint8Array; claim?: number }
  /** `base`: number of an earlier entry, or an absolute distance. */
  | { kind: 6; base: number; delta: Uint8Array; distance?: number }
  | { kind: 7; base: string; delta: Uint8Array };

export function packOf(
  entries: readonly HandEntry[],
  count = entries.length,
  hash: "sha1" | "sha256" = "sha1",
): Buffer {
  const parts: Buffer[] = [Buffer.from(encodePackHeader(count))];
  const offsets: number[] = [];
  let at = 12;
  for (const entry of entries) {
    offsets.push(at);
    const content = "data" in entry ? entry.data : entry.delta;
    const size = "claim" in entry && entry.claim !== undefined ? entry.claim : content.length;
    const head = [Buffer.from(encodeEntryHeader(entry.kind, size))];
    if (entry.kind === 6) head.push(Buffer.from(encodeBaseDistance(entry.distance ?? at - offsets[entry.base]!)));
    if (entry.kind === 7) head.push(Buffer.from(oidBytes(entry.base)));
    const bytes = Buffer.concat([...head, deflateSync(content)]);
    parts.push(bytes);
    at += bytes.length;
  }
  return withTrailer(Buffer.concat(parts), hash);
}

export function withTrailer(body: Uint8Array, hash: "sha1" | "sha256" = "sha1"): Buffer {
  return Buffer.concat([body, createHash(hash).update(body).digest()]);
}

/** A delta of copy and insert instructions. */
export function deltaOf(
  baseSize: number,
  resultSize: number,
  instructions: readonly ({ copy: [offset: number, size: number] } | { insert: string })[],
): Buffer {
  const bytes: number[] = [...varint(baseSize), ...varint(resultSize)];
  for (const step of instructions) {
    if ("insert" in step) bytes.push(step.insert.length, ...Buffer.from(step.insert, "latin1"));
    else {
      const [offset, size] = step.copy;
      const given = [offset & 255, (offset >> 8) & 255, (offset >> 16) & 255, offset >>> 24];
      const sizes = [size & 255, (size >> 8) & 255, (size >> 16) & 255];
      bytes.push(0xff, ...given, ...sizes);
    }
  }
  return Buffer.from(bytes);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** Streams bytes in pieces of up to `piece` bytes. */
export async function* pieces(bytes: Uint8Array, piece: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.slice(at, at + piece);
}
