import type { Database } from "./database.ts";

/** Numbers of rows in an order, as they are remembered: a search of many compares these instead of asking for each row. */
export type IdList = Uint32Array;

/** What one weighs in a cache. */
export const weightOf = (list: IdList): number => list.byteLength;

/** @param sql a query whose rows have an `id` and nothing else */
export function readIds(db: Database, sql: string, params: Record<string, string | number | null>): IdList {
  return Uint32Array.from(db.query<{ id: number }>(sql).all(params), ({ id }) => id);
}

/** Those of a list that stand in one of the others, in its order. */
export function among(list: IdList, others: readonly IdList[]): IdList {
  return selected(list, membership(others), 1);
}

/** Those of a list that do not stand in the other, in its order. */
export function without(list: IdList, others: IdList): IdList {
  return selected(list, membership([others]), 0);
}

/** Those of a list that stand in the other, before those that do not. */
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

/** 1 at each number that one of the lists has. */
export function membership(lists: readonly IdList[]): Uint8Array {
  let highest = -1;
  for (const list of lists) for (let at = 0; at < list.length; at++) highest = Math.max(highest, list[at] ?? 0);
  const isMember = new Uint8Array(highest + 1);
  for (const list of lists) for (let at = 0; at < list.length; at++) isMember[list[at] ?? 0] = 1;
  return isMember;
}

/** @param value what stands in `isMember` for the wanted ones; 0 is also that of what is not in it */
function selected(list: IdList, isMember: Uint8Array, value: 0 | 1): IdList {
  const wanted = new Uint32Array(list.length);
  let count = 0;
  for (let at = 0; at < list.length; at++) {
    const id = list[at] ?? 0;
    if ((isMember[id] ?? 0) === value) wanted[count++] = id;
  }
  return wanted.subarray(0, count);
}
