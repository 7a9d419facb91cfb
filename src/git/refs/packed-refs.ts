import { decodeName, encodeName } from "../objects/names.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { compareRefNames } from "./names.ts";
import type { Ref } from "./types.ts";

/**
 * git's `packed-refs`: a header line, then `<oid> <name>` sorted by name, each followed by `^<oid>` when it is an
 * annotated tag. `fully-peeled` means that a ref without such a line has nothing to peel (git-pack-refs(1)).
 *
 *     # pack-refs with: peeled fully-peeled sorted hearth-seal=<version>.<crc32 of the rest> \n
 *
 * The last word is ours and optional; readers ignore words they do not know. It distinguishes our files from those
 * real git rewrote, orders ours by age, and shows whether the file is complete.
 */

const HEADER = "# pack-refs with: peeled fully-peeled sorted ";
const SEAL = /^#.* hearth-seal=(\d+)\.([0-9a-f]{8})(?: |$)/;

/** Formats the file for these refs, given in any order. `sealVersion`: the version of the refs, for files we own. */
export function formatPackedRefs(refs: readonly Ref[], sealVersion?: number): Uint8Array {
  const lines: string[] = [];
  for (const ref of refs.toSorted((a, b) => compareRefNames(a.name, b.name))) {
    lines.push(`${ref.oid} ${ref.name}\n`);
    if (ref.peeled) lines.push(`^${ref.peeled}\n`);
  }
  const body = encodeName(lines.join(""));
  const seal = sealVersion === undefined ? "" : `hearth-seal=${sealVersion}.${checksum(body)} `;
  return Buffer.concat([Buffer.from(`${HEADER}${seal}\n`), body]);
}

export interface PackedRefs {
  /** Sorted by name. */
  readonly refs: Ref[];
  /** Whether a ref without `peeled` is known to have nothing to peel. */
  readonly fullyPeeled: boolean;
  /** False for a file that is empty, truncated, or contains lines that git never writes. */
  readonly isWhole: boolean;
  /** The version of the refs when we wrote exactly this content; undefined for a file others wrote. */
  readonly sealVersion: number | undefined;
}

/** Parses the file; malformed lines are skipped, and `isWhole` is then false. */
export function parsePackedRefs(bytes: Uint8Array): PackedRefs {
  // One character per byte, because names need not be UTF-8.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const refs: { name: string; oid: Oid; peeled?: Oid }[] = [];
  let fullyPeeled = false;
  let isWhole = text.endsWith("\n");
  for (const line of text.split("\n")) {
    if (line === "") continue;
    if (line.startsWith("#")) {
      fullyPeeled ||= line.includes(" fully-peeled");
      continue;
    }
    const last = refs.at(-1);
    if (line.startsWith("^")) {
      if (last && isOid(line.slice(1))) last.peeled = line.slice(1);
      else isWhole = false;
      continue;
    }
    const space = line.indexOf(" ");
    const oid = line.slice(0, Math.max(0, space));
    if (isOid(oid) && line.length > space + 1) refs.push({ name: nameOf(line.slice(space + 1)), oid });
    else isWhole = false;
  }
  refs.sort((a, b) => compareRefNames(a.name, b.name));
  const [, version, sum] = SEAL.exec(text.slice(0, text.indexOf("\n") + 1).trimEnd()) ?? [];
  if (version === undefined) return { refs, fullyPeeled, isWhole, sealVersion: undefined };
  isWhole &&= checksum(bytes.subarray(text.indexOf("\n") + 1)) === sum;
  return { refs, fullyPeeled, isWhole, sealVersion: Number(version) };
}

function nameOf(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? decodeName(Buffer.from(latin1, "latin1")) : latin1;
}

function checksum(bytes: Uint8Array): string {
  return Bun.hash.crc32(bytes).toString(16).padStart(8, "0");
}
