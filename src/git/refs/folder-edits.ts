import { findPackedRefs, readLooseRefs } from "./files.ts";
import type { PackedRefs } from "./packed-refs.ts";
import { packedTimeOf, projectionStamp } from "./projection.ts";
import type { Ref, RefChange } from "./types.ts";

/** The state of the refs that a directory was last made to show. */
export interface WrittenRefs {
  readonly refs: readonly Ref[];
  /** What its `packed-refs` was sealed with. */
  readonly version: number;
  /** When that file was written, in nanoseconds since 1970; undefined when it is not known. */
  readonly writtenAtNs: bigint | undefined;
}

/** What others did to the refs in a directory. */
export interface FolderEdits {
  /** `oldOid` is what was written, not what the refs are by now. */
  readonly changes: RefChange[];
  /** What is wrong with `packed-refs`, so that nothing was taken from it. */
  readonly damage: "missing" | "damaged" | "empty" | "older than what was written last" | undefined;
}

/**
 * What real git changed in a directory since we wrote there: the difference between the two, never what a file lacks.
 * A `packed-refs` that is missing, cut short, empty or older than ours changes and deletes nothing.
 */
export function findFolderEdits(repoDir: string, written: WrittenRefs): FolderEdits {
  const fileTimeNs = packedTimeOf(projectionStamp(repoDir));
  // In this order: a ref that is packed meanwhile is found in one of them.
  const loose = new Map(readLooseRefs(repoDir).map(({ name, oid }) => [name, oid]));
  const file = findPackedRefs(repoDir);
  const before = new Map(written.refs.map(({ name, oid }) => [name, oid]));
  const damage = damageOf(file, written, fileTimeNs);
  // What we sealed says what was written: only real git's own file tells of edits.
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
