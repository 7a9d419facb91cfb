import type { Database } from "../../db/database.ts";
import { type IdList, readIds, without } from "../../db/id-lists.ts";

/** Id lists of all repositories that match a condition, and how they are updated when some repositories change. */

export type Params = Record<string, string | number | null>;

/** A list of repositories, sorted by name unless another key is given: SQL that matches its members. */
export interface ListQuery {
  readonly where: string;
  /** SQL expression of `repositories` that the list is sorted by, ascending. */
  readonly key?: string;
  /** SQL that also matches them, and finds them by an index. */
  readonly narrowed?: string;
  readonly params: Params;
}

export const fromRepos = "FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id";
const NAME = "repositories.lower_name";

/** Changes whenever anyone's visible repositories, or a filter's matches, may have changed. */
export function listsVersion(db: Database): number {
  return db.query<{ version: number }>("SELECT version FROM repository_lists WHERE rowid = 1").get()?.version ?? 0;
}

/** The repositories that changed between two versions; undefined if some changes are not recorded. */
export function changedSince(db: Database, from: number, to: number): number[] | undefined {
  const changes = db
    .query<{ repo_id: number }>("SELECT repo_id FROM repository_list_changes WHERE version > ? AND version <= ?")
    .all(from, to);
  return changes.length === to - from ? [...new Set(changes.map(({ repo_id }) => repo_id))] : undefined;
}

export function idsOf(db: Database, { where, key = NAME, narrowed, params }: ListQuery): IdList {
  const all = narrowed === undefined ? where : `${narrowed} AND ${where}`;
  return readIds(db, `SELECT repositories.id ${fromRepos} WHERE ${all} ORDER BY ${key}, repositories.id`, params);
}

/** The list with the current state of some repositories; no others are read. */
export function updated(db: Database, query: ListQuery, list: IdList, changed: readonly number[]): IdList {
  const { where, key = NAME, params } = query;
  const present = db
    .query<Keyed & { id: number }>(
      `SELECT repositories.id, ${key} AS key FROM json_each($changed) AS changed
        CROSS JOIN repositories ON repositories.id = changed.value CROSS JOIN users AS owners ON owners.id = repositories.owner_id
        WHERE ${where} ORDER BY ${key}, repositories.id`,
    )
    .all({ ...params, changed: JSON.stringify(changed) });
  const rest = without(list, Uint32Array.from(changed));
  const taken = new Uint32Array(rest.length + present.length);
  const others = db.query<Keyed>(`SELECT ${key} AS key FROM repositories WHERE id = ?`);
  let at = 0;
  for (const [count, one] of present.entries()) {
    const place = firstAfter(rest, (other) => {
      const otherKey = others.get(other)?.key ?? "";
      return otherKey < one.key || (otherKey === one.key && other < one.id);
    });
    taken.set(rest.subarray(at, place), at + count);
    taken[place + count] = one.id;
    at = place;
  }
  taken.set(rest.subarray(at), at + present.length);
  return taken;
}

interface Keyed {
  readonly key: string | number;
}

/** Binary search: the position of the first id for which `comesBefore` is false. */
function firstAfter(list: IdList, comesBefore: (id: number) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(list[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The main language of each repository. */
export interface MainLanguages {
  /** The first stands for repositories that have none. */
  readonly names: readonly string[];
  /** By repository id, the index of its language in `names`. */
  readonly places: Uint16Array;
}

export function mainLanguages(db: Database): MainLanguages {
  const rows = db
    .query<SpokenRow>("SELECT id, primary_language AS language FROM repositories WHERE primary_language <> ''")
    .all();
  return withLanguages({ names: [""], places: new Uint16Array(0) }, rows);
}

interface SpokenRow {
  readonly id: number;
  readonly language: string;
}

/** The same with the current state of some repositories. */
export function updatedLanguages(db: Database, known: MainLanguages, changed: readonly number[]): MainLanguages {
  const present = db
    .query<SpokenRow>(
      `SELECT repositories.id, primary_language AS language FROM json_each($changed) AS changed
        CROSS JOIN repositories ON repositories.id = changed.value`,
    )
    .all({ changed: JSON.stringify(changed) });
  return withLanguages(known, [...changed.map((id) => ({ id, language: "" })), ...present]);
}

function withLanguages({ names, places }: MainLanguages, rows: readonly SpokenRow[]): MainLanguages {
  const placeOfName = new Map(names.map((name, place) => [name, place]));
  const highest = rows.reduce((most, { id }) => Math.max(most, id), places.length - 1);
  const all = new Uint16Array(highest + 1);
  all.set(places);
  for (const { id, language } of rows) {
    const place = placeOfName.get(language) ?? placeOfName.size;
    placeOfName.set(language, place);
    all[id] = place;
  }
  return { names: [...placeOfName.keys()], places: all };
}
