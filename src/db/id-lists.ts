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
  const isMember = membership(others);
  return list.filter((id) => isMember[id] === 1);
}

/** Those of a list that stand in the other, before those that do not. */
export function membersFirst(list: IdList, others: IdList): IdList {
  const isMember = membership([others]);
  const first = list.filter((id) => isMember[id] === 1);
  const sorted = new Uint32Array(list.length);
  sorted.set(first);
  sorted.set(
    list.filter((id) => isMember[id] !== 1),
    first.length,
  );
  return sorted;
}

/** 1 at each number that one of the lists has. */
export function membership(lists: readonly IdList[]): Uint8Array {
  let highest = -1;
  for (const list of lists) for (const id of list) if (id > highest) highest = id;
  const isMember = new Uint8Array(highest + 1);
  for (const list of lists) for (const id of list) isMember[id] = 1;
  return isMember;
}
