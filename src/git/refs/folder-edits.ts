import { findPackedRefs, readLooseRefs } from "./files.ts";
import type { PackedRefs } from "./packed-refs.ts";
import { packedTimeOf, projectionStamp } from "./projection.ts";
import type { Ref, RefChange } from "./types.ts";

/** The state of the refs last written to a directory. */
export interface WrittenRefs {
  readonly refs: readonly Ref[];
  /** The version its `packed-refs` was sealed with. */
  readonly version: number;
  /** When that file was written, in nanoseconds since 1970; undefined when unknown. */
  readonly writtenAtNs: bigint | undefined;
}

/** Changes others made to the refs in a directory. */
export interface FolderEdits {
  /** `oldOid` is the value last written, not the current one. */
  readonly changes: RefChange[];
  /** Why `packed-refs` was ignored. */
  readonly damage: "missing" | "damaged" | "empty" | "older than what was written last" | undefined;
}

/**
 * Finds what real git changed in a directory since we last wrote to it. Missing or damaged files are never taken for
 * changes: a `packed-refs` that is missing, truncated, empty or older than ours changes and deletes nothing.
 */
export function findFolderEdits(repoDir: string, written: WrittenRefs): FolderEdits {
  const fileTimeNs = packedTimeOf(projectionStamp(repoDir));
  // In this order, so that a ref packed meanwhile is found in one of them.
  const loose = new Map(readLooseRefs(repoDir).map(({ name, oid }) => [name, oid]));
  const file = findPackedRefs(repoDir);
  const before = new Map(written.refs.map(({ name, oid }) => [name, oid]));
  const damage = damageOf(file, written, fileTimeNs);
  // A file we sealed only contains what we wrote; only one written by real git shows edits.
  const isOurs = file?.sealVersion !== undefined && file.sealVersion <= written.version;
  const packed = damage === undefined && !isOurs ? new Map(file?.refs.map(({ name, oid }) => [name, oid])) : before;
  const changes: RefChange[] = [];
  for (const name of new Set([...before.keys(), ...packed.keys(), ...loose.keys()])) {
    const oldOid = before.get(name) ?? null;
    const newOid = loose.get(name) ?? packed.get(name) ?? null;
    if (newOid !== oldOid) changes.push({ name, oldOid, newOid });
  }
  return { changes, damage };
}

function damageOf(
  file: PackedRefs | undefined,
  written: WrittenRefs,
  fileTimeNs: bigint | undefined,
): FolderEdits["damage"] {
  if (!file) return written.refs.length > 0 ? "missing" : undefined;
  if (!file.isWhole) return "damaged";
  if (file.sealVersion !== undefined)
    return file.sealVersion < written.version ? "older than what was written last" : undefined;
  if (file.refs.length === 0 && written.refs.length > 0) return "empty";
  const isOlder = fileTimeNs !== undefined && written.writtenAtNs !== undefined && fileTimeNs < written.writtenAtNs;
  return isOlder ? "older than what was written last" : undefined;
}
