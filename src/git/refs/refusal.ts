import type { ObjectSource } from "../objects/source.ts";
import { findRefConflicts } from "./conflicts.ts";
import { isRefName } from "./names.ts";
import type { RefChange, RefStore } from "./types.ts";

/**
 * Why real git would not make a change of a ref, in its words; undefined when it would. An expected old value that the
 * caller does not care for is left out (`oldOid` as it is now).
 */
export function refusalOf(store: ObjectSource, refs: RefStore, change: RefChange): string | undefined {
  const { name, oldOid, newOid } = change;
  if (!isRefName(name) || !name.startsWith("refs/")) return `refusing to update ref with bad name '${name}'`;
  const now = refs.resolve(name)?.oid;
  const locked = `cannot lock ref '${name}': `;
  if (oldOid === null && now !== undefined) return `${locked}reference already exists`;
  if (oldOid !== null && now === undefined) return `${locked}unable to resolve reference '${name}'`;
  if (oldOid !== null && now !== oldOid) return `${locked}is at ${now} but expected ${oldOid}`;
  if (newOid === null) return undefined;
  const names = refs.list().map((ref) => ref.name);
  const other = findRefConflicts(names, [change]).get(name)?.conflictsWith;
  if (other !== undefined) return `${locked}'${other}' exists; cannot create '${name}'`;
  const type = store.header(newOid)?.type;
  const cannot = `cannot update ref '${name}': trying to write `;
  if (type === undefined) return `${cannot}ref '${name}' with nonexistent object ${newOid}`;
  if (type !== "commit" && name.startsWith("refs/heads/"))
    return `${cannot}non-commit object ${newOid} to branch '${name}'`;
  return undefined;
}
