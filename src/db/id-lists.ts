import type { Database } from "./database.ts";

/** Row ids in order, as cached: a search among many rows intersects these lists instead of querying each row. */
export type IdList = Uint32Array;

/** The weight of a list in a cache. */
export const weightOf = (list: IdList): number => list.byteLength;

/** @param sql a query whose rows have only an `id` */
export function readIds(db: Database, sql: string, params: Record<string, string | number | null>): IdList {
  return Uint32Array.from(db.query<{ id: number }>(sql).all(params), ({ id }) => id);
}

/** The elements of a list that are in any of the others, in its order. */
export function among(list: IdList, others: readonly IdList[]): IdList {
  return selected(list, membership(others), 1);
}

/** The elements of a list that are not in the other, in its order. */
export function without(list: IdList, others: IdList): IdList {
  return selected(list, membership([others]), 0);
}

/** Reorders a list: the elements that are in the other come first. */
export function membersFirst(list: IdList, others: IdList): IdList {
  if (others.length === 0) return list;
  const isMember = membership([others]);
  const first = selected(list, isMember, 1);
  const sorted = new Uint32Array(list.length);
  sorted.set(first);
  sorted.set(selected(list, isMember, 0), first.length);
  return sorted;
}

// Loops by index: `for … of` and `filter` take ten times as long (measured with 10,000).

/** 1 at each id that any of the lists contains. */
export function membership(lists: readonly IdList[]): Uint8Array {
  let highest = -1;
  for (const list of lists) for (let at = 0; at < list.length; at++) highest = Math.max(highest, list[at] ?? 0);
  const isMember = new Uint8Array(highest + 1);
  for (const list of lists) for (let at = 0; at < list.length; at++) isMember[list[at] ?? 0] = 1;
  return isMember;
}

/** @param value the value in `isMember` that selects an element; 0 also selects ids beyond its end */
function selected(list: IdList, isMember: Uint8Array, value: 0 | 1): IdList {
  const wanted = new Uint32Array(list.length);
  let count = 0;
  for (let at = 0; at < list.length; at++) {
    const id = list[at] ?? 0;
    if ((isMember[id] ?? 0) === value) wanted[count++] = id;
  }
  return wanted.subarray(0, count);
}
