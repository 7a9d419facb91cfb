import { isOid, type Oid } from "../objects/types.ts";
import { compareRefNames } from "./names.ts";
import type { Ref } from "./types.ts";

/**
 * git's `packed-refs`: a header line, then `<oid> <name>` sorted by name, each followed by `^<oid>` when it is an
 * annotated tag. `fully-peeled` says that a ref without such a line has nothing to peel (git-pack-refs(1)).
 */

const HEADER = "# pack-refs with: peeled fully-peeled sorted \n";

/** The file for these refs, in any order. */
export function formatPackedRefs(refs: readonly Ref[]): string {
  const lines = [HEADER];
  for (const ref of refs.toSorted((a, b) => compareRefNames(a.name, b.name))) {
    lines.push(`${ref.oid} ${ref.name}\n`);
    if (ref.peeled) lines.push(`^${ref.peeled}\n`);
  }
  return lines.join("");
}

export interface PackedRefs {
  /** Sorted by name. */
  readonly refs: Ref[];
  /** Whether a ref without `peeled` is known to have nothing to peel. */
  readonly fullyPeeled: boolean;
}

/** Reads the file; lines that make no sense are passed over, as a half-written file never replaces a whole one. */
export function parsePackedRefs(text: string): PackedRefs {
  const refs: { name: string; oid: Oid; peeled?: Oid }[] = [];
  let fullyPeeled = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) {
      fullyPeeled ||= line.includes(" fully-peeled");
      continue;
    }
    const last = refs.at(-1);
    if (line.startsWith("^")) {
      if (last && isOid(line.slice(1))) last.peeled = line.slice(1);
      continue;
    }
    const space = line.indexOf(" ");
    const oid = line.slice(0, Math.max(0, space));
    if (isOid(oid) && line.length > space + 1) refs.push({ name: line.slice(space + 1), oid });
  }
  refs.sort((a, b) => compareRefNames(a.name, b.name));
  return { refs, fullyPeeled };
}
