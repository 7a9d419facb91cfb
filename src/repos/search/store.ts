import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { type IdList, membership, readIds } from "../../db/id-lists.ts";
import { hasTrigrams, trigramQuery } from "../../db/trigrams.ts";
import { findReposById } from "../store.ts";
import type { Repo } from "../types.ts";

/** Who looks: the condition that holds for what they see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

const byName = "repositories.lower_name, repositories.id";
const isOpenWhereAsked = "(NOT $onlyPublic OR (repositories.is_private = 0 AND owners.visibility = 'public'))";

const from = "FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id";

interface Found {
  items: Repo[];
  total: number;
}

type Params = Record<string, string | number | null>;

/** Remembers how many rows a condition holds for, until that may have changed. */
export type RememberedTotal = (count: () => number) => number;

/** Another one whenever someone may see other repositories, or a filter may find others. */
export function listsVersion(db: Database): string {
  return String(
    db.query<{ version: number }>("SELECT version FROM repository_lists WHERE rowid = 1").get()?.version ?? 0,
  );
}

/** Rows in an order that an index has: as many are read as the page needs, and all of them to be counted, which is remembered. */
function pageOf(
  db: Database,
  where: string,
  order: string,
  params: Params,
  limit: number,
  offset: number,
  total: RememberedTotal,
): Found {
  const found = db
    .query<{ id: number }>(
      `SELECT repositories.id ${from} WHERE ${where} ORDER BY ${order} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  return { items: rowsOf(db, found), total: total(() => countOf(db, where, params)) };
}

/** One walk over what is found counts it and finds the page: for what an index finds, of which there is little. */
function countedPageOf(
  db: Database,
  where: string,
  order: string,
  params: Params,
  limit: number,
  offset: number,
): Found {
  const page = db
    .query<{ id: number; total: number }>(
      `SELECT repositories.id, count(*) OVER () AS total ${from} WHERE ${where} ORDER BY ${order} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  const [first] = page;
  // Past the end, or nothing at all.
  if (!first) return { items: [], total: offset === 0 ? 0 : countOf(db, where, params) };
  return { items: rowsOf(db, page), total: first.total };
}

function countOf(db: Database, where: string, params: Params): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${where}`).get(params)?.n ?? 0;
}

/** Whole rows are read of the page alone. */
function rowsOf(db: Database, page: readonly { readonly id: number }[]): Repo[] {
  const ids = page.map(({ id }) => id);
  const byId = new Map(findReposById(db, ids).map((repo) => [repo.id, repo]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What one account owns, oldest first. */
export function reposOf(
  db: Database,
  ownerId: number,
  viewer: Viewer,
  limit: number,
  offset: number,
  total: RememberedTotal,
): Found {
  const params = { ...viewer.params, owner: ownerId };
  const where = `repositories.owner_id = $owner AND ${viewer.isVisible}`;
  return pageOf(db, where, "repositories.id", params, limit, offset, total);
}

/** SQL for the repositories that the account `user` was given a level on by name. */
export const sharedByCollaboration = (user: string) => `SELECT repo_id FROM collaborators WHERE user_id = ${user}`;

/**
 * Ids of what an account owns or was given more on than everyone has, by name.
 * @param shared SQL for what it was given otherwise, as `RepoSearch.addShared` has it
 * @param part of the name, any letter case; empty: all
 */
export function idsAround(
  db: Database,
  userId: number,
  viewer: Viewer,
  shared: readonly string[],
  part: string,
): IdList {
  const sql = `SELECT repositories.id ${from} WHERE repositories.id IN
      (SELECT id FROM repositories WHERE owner_id = $user
      UNION SELECT repo_id FROM collaborators JOIN repositories AS given ON given.id = repo_id
        JOIN users AS giver ON giver.id = given.owner_id
        WHERE user_id = $user AND (level <> 'read' OR given.is_private = 1 OR giver.visibility = 'private')
      ${shared.map((ids) => `UNION ${ids}`).join(" ")})
    AND ($part = '' OR instr(repositories.lower_name, lower($part)) > 0) AND ${viewer.isVisible}
    ORDER BY ${byName}`;
  return readIds(db, sql, { ...viewer.params, user: userId, part });
}

/** Ids of all that someone sees, by name. */
export function idsSeen(db: Database, viewer: Viewer, onlyPublic: boolean): IdList {
  const sql = `SELECT repositories.id ${from} WHERE ${viewer.isVisible} AND ${isOpenWhereAsked} ORDER BY ${byName}`;
  return readIds(db, sql, { ...viewer.params, onlyPublic: flag(onlyPublic) });
}

/** One of the words looked for; `owner` and `name` when it was written with one slash. */
export interface Word {
  readonly word: string;
  readonly owner: string | null;
  readonly name: string | null;
}

export interface SearchFilter {
  /** What each of the words finds; none: everything matches. */
  readonly found: readonly IdList[];
  /** Owners whose names the text has, in lower case: what is theirs comes first. */
  readonly logins: readonly string[];
  /** Owned by this account or, unless `exclusive`, shared with it. */
  readonly around: number | undefined;
  readonly exclusive: boolean;
  /** Only shared with it, not owned. */
  readonly collaborative: boolean;
  /** Leave out whatever is not open to everyone. */
  readonly onlyPublic: boolean;
  readonly isPrivate: boolean | undefined;
  readonly isTemplate: boolean | undefined;
  readonly isArchived: boolean | undefined;
  readonly isFork: boolean | undefined;
  /** This account's come first. */
  readonly firstOwner: number;
}

/** What `sort` may ask for without other areas. */
export const ownOrders = {
  alpha: "(owners.lower_login || char(1) || repositories.lower_name)",
  created: "repositories.created_at",
  updated: "repositories.updated_at",
  size: "repositories.size_bytes",
  git_size: "repositories.size_bytes",
  // Nothing is stored as LFS, starred or forked unless an area says so: all are equal.
  lfs_size: "NULL",
  stars: "NULL",
  forks: "NULL",
  id: "repositories.id",
} as const;

/**
 * What else a word finds: SQL that holds for `repositories`, and a query for their ids. @param word SQL of it in lower
 * case; `whole` SQL that is true when a part of a word does not count
 */
export interface WordSource {
  readonly condition: (word: string, whole: string) => string;
  readonly ids: (word: string, whole: string) => string;
}

/** The parts of a search that are text: the order, and conditions of areas with the values they name. */
export interface SearchSql {
  readonly order: { readonly key: string; readonly descending: boolean };
  readonly conditions: readonly string[];
  readonly values: Readonly<Record<string, number>>;
  /** What the account `$around` was given, each an SQL query for ids. */
  readonly shared: readonly string[];
  readonly total: RememberedTotal;
}

const searched = (viewer: Viewer, shared: readonly string[]) => `${viewer.isVisible} AND ${isOpenWhereAsked}
  AND ($isPrivate IS NULL OR repositories.is_private = $isPrivate)
  AND ($isTemplate IS NULL OR repositories.is_template = $isTemplate)
  AND ($isFork IS NULL OR (repositories.fork_of IS NOT NULL) = $isFork)
  AND ($isArchived IS NULL OR repositories.is_archived = $isArchived)
  AND ($around = 0 OR (repositories.owner_id = $around AND NOT $collaborative) OR (NOT $exclusive AND repositories.id IN
    (${shared.join(" UNION ")})))`;

const hasWord = (
  words: readonly WordSource[],
) => `((NOT $topicOnly AND (instr(repositories.lower_name, lower($word)) > 0
    OR ($inDescription AND instr(lower(repositories.description), lower($word)) > 0)
    OR ($owner IS NOT NULL AND instr(owners.lower_login, lower($owner)) > 0 AND instr(repositories.lower_name, lower($name)) > 0)))
  ${words.map(({ condition }) => `OR ${condition("lower($word)", "$topicOnly")}`).join(" ")})`;

/** All that the word can find, and perhaps more: few are looked at then, however many there are. */
const candidates = (words: readonly WordSource[]) => `repositories.id IN (
  SELECT rowid FROM repository_names WHERE $names <> '' AND repository_names MATCH $names AND NOT $topicOnly
  UNION SELECT owned.id FROM user_names JOIN repositories AS owned ON owned.owner_id = user_names.rowid
    WHERE $owners <> '' AND user_names MATCH $owners AND NOT $topicOnly
  ${words.map(({ ids }) => `UNION ${ids("lower($word)", "$topicOnly")}`).join(" ")})`;

/**
 * What finds it, in names and by their owners; undefined: the word is too short for the indexes. An owner may have ten
 * thousand, so the name that is asked for with it finds them, if it is long enough.
 */
function indexQueries(
  { word, owner, name }: Word,
  inDescription: boolean,
): { names: string; owners: string } | undefined {
  const isByName = name !== null && hasTrigrams(name);
  if (!isByName && !hasTrigrams(owner ?? word)) return undefined;
  const names = trigramQuery(word, inDescription ? ["name", "description"] : ["name"]);
  return {
    names: isByName ? `${names} OR ${trigramQuery(name, ["name"])}` : names,
    owners: owner === null || isByName ? "" : trigramQuery(owner, ["login"]),
  };
}

/** Where a word is looked for. */
export interface WordPlaces {
  readonly inDescription: boolean;
  /** Only what areas contribute for words matches, and only as a whole. */
  readonly topicOnly: boolean;
}

/** Ids of all repositories that a word finds, whoever may see them. */
export function idsWithWord(db: Database, asked: Word, places: WordPlaces, words: readonly WordSource[]): IdList {
  const queries = indexQueries(asked, places.inDescription);
  const sql = `SELECT repositories.id ${from} WHERE ${queries ? `${candidates(words)} AND ` : ""}${hasWord(words)}`;
  return readIds(db, sql, {
    ...asked,
    inDescription: flag(places.inDescription),
    topicOnly: flag(places.topicOnly),
    ...queries,
  });
}

/** Ids of all that these accounts own. @param logins in lower case */
export function idsOwnedBy(db: Database, logins: readonly string[]): IdList {
  const sql = `SELECT repositories.id FROM repositories
    WHERE owner_id IN (SELECT id FROM users WHERE lower_login IN (SELECT value FROM json_each($logins)))`;
  return readIds(db, sql, { logins: JSON.stringify(logins) });
}

const ownersFirst = "repositories.owner_id = $firstOwner DESC";
const namedOwnersFirst = "owners.lower_login IN (SELECT value FROM json_each($logins)) DESC";

const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);

const jsonOf = (lists: readonly IdList[]) => JSON.stringify(lists.flatMap((list) => [...list]));

export function searchRepos(
  db: Database,
  viewer: Viewer,
  filter: SearchFilter,
  { order, conditions, values, shared, total }: SearchSql,
  limit: number,
  offset: number,
): Found {
  const params = {
    ...viewer.params,
    ...values,
    around: filter.around ?? 0,
    exclusive: flag(filter.exclusive),
    collaborative: flag(filter.collaborative),
    onlyPublic: flag(filter.onlyPublic),
    isPrivate: flag(filter.isPrivate),
    isTemplate: flag(filter.isTemplate),
    isArchived: flag(filter.isArchived),
    isFork: flag(filter.isFork),
    firstOwner: filter.firstOwner,
  };
  const { found, logins } = filter;
  const hasWords = found.length > 0;
  const isExclusive = filter.around !== undefined && filter.exclusive;
  const where = [
    ...(hasWords ? ["repositories.id IN (SELECT value FROM json_each($found))"] : []),
    // An index finds them by that.
    ...(isExclusive ? ["repositories.owner_id = $around"] : []),
    searched(viewer, shared),
    ...conditions,
  ].join(" AND ");
  // Without those that come first, an index may have the order already.
  const by = [
    ...(filter.firstOwner > 0 ? [ownersFirst] : []),
    ...(logins.length > 0 ? [namedOwnersFirst] : []),
    `${order.key}${order.descending ? " DESC" : ""}`,
    `repositories.id${order.descending ? " DESC" : ""}`,
  ].join(", ");
  const ids = {
    ...(hasWords ? { found: jsonOf(found) } : {}),
    ...(logins.length > 0 ? { logins: JSON.stringify(logins) } : {}),
  };
  return hasWords
    ? countedPageOf(db, where, by, { ...params, ...ids }, limit, offset)
    : pageOf(db, where, by, params, limit, offset, total);
}

/** The page of these rows in an order: an index gives it, and it is walked as far as the page needs. */
export function walkInOrder(
  db: Database,
  found: IdList,
  { key, descending }: SearchSql["order"],
  limit: number,
  offset: number,
): Repo[] {
  const isFound = membership([found]);
  const direction = descending ? " DESC" : "";
  const page: { id: number }[] = [];
  let passed = 0;
  const walk = db.query<{ id: number }>(
    `SELECT repositories.id ${from} ORDER BY ${key}${direction}, repositories.id${direction}`,
  );
  for (const { id } of walk.iterate()) {
    if (isFound[id] !== 1 || passed++ < offset) continue;
    page.push({ id });
    if (page.length === limit) break;
  }
  return rowsOf(db, page);
}

/** The page of a list that is in its order. */
export function pageOfIds(db: Database, list: IdList, limit: number, offset: number): Found {
  const page = Array.from(list.subarray(offset, offset + limit), (id) => ({ id }));
  return { items: rowsOf(db, page), total: list.length };
}
