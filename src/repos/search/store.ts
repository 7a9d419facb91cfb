import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { type IdList, membership, readIds } from "../../db/id-lists.ts";
import { hasTrigrams, trigramQuery } from "../../db/trigrams.ts";
import { findReposById } from "../store.ts";
import type { Repo } from "../types.ts";
import { fromRepos, type ListQuery } from "./list-store.ts";

/** The viewer: the SQL condition for what they can see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

const isOpenWhereAsked = "(NOT $onlyPublic OR (repositories.is_private = 0 AND owners.visibility = 'public'))";

/** Full rows are read only for the page itself. */
function rowsOf(db: Database, ids: readonly number[]): Repo[] {
  const byId = new Map(findReposById(db, ids).map((repo) => [repo.id, repo]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What one account owns. */
export function ownedBy(ownerId: number, viewer: Viewer): ListQuery {
  return {
    where: `repositories.owner_id = $owner AND ${viewer.isVisible}`,
    params: { ...viewer.params, owner: ownerId },
  };
}

/** A page of what one account owns, oldest first. */
export function pageOfOwned(db: Database, { where, params }: ListQuery, limit: number, offset: number): Repo[] {
  const page = db
    .query<{ id: number }>(
      `SELECT repositories.id ${fromRepos} WHERE ${where} ORDER BY repositories.id LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  return rowsOf(
    db,
    page.map(({ id }) => id),
  );
}

/** SQL for the repositories that the account `user` collaborates on. */
export const sharedByCollaboration = (user: string) => `SELECT repo_id FROM collaborators WHERE user_id = ${user}`;

/**
 * What an account owns or was given more access to than everyone has.
 * @param shared SQL for what it was given otherwise, as registered with `RepoSearch.addShared`
 * @param part of the name, case-insensitive; empty: all
 */
export function aroundAccount(userId: number, viewer: Viewer, shared: readonly string[], part: string): ListQuery {
  const given = `SELECT repo_id FROM collaborators JOIN repositories AS given ON given.id = repo_id
      JOIN users AS giver ON giver.id = given.owner_id
      WHERE user_id = $user AND (level <> 'read' OR given.is_private = 1 OR giver.visibility = 'private')
    ${shared.map((ids) => `UNION ${ids}`).join(" ")}`;
  return {
    narrowed: `repositories.id IN (SELECT id FROM repositories WHERE owner_id = $user UNION ${given})`,
    where: `(repositories.owner_id = $user OR repositories.id IN (${given}))
      AND ($part = '' OR instr(repositories.lower_name, lower($part)) > 0) AND ${viewer.isVisible}`,
    params: { ...viewer.params, user: userId, part },
  };
}

/** A search word; `owner` and `name` are set if it contains exactly one slash. */
export interface Word {
  readonly word: string;
  readonly owner: string | null;
  readonly name: string | null;
}

/** Search criteria other than words. */
export interface SearchFilter {
  /** Owned by this account or, unless `exclusive`, shared with it. */
  readonly around: number | undefined;
  readonly exclusive: boolean;
  /** Only shared with it, not owned. */
  readonly collaborative: boolean;
  /** Leave out everything that is not public. */
  readonly onlyPublic: boolean;
  readonly isPrivate: boolean | undefined;
  readonly isTemplate: boolean | undefined;
  readonly isArchived: boolean | undefined;
  readonly isFork: boolean | undefined;
  readonly isMirror: boolean | undefined;
  /** The main language, case-insensitive; empty: any. */
  readonly language: string;
}

/** Orders available without other areas, each as its ascending terms. */
export const ownOrders: Readonly<Record<string, readonly string[]>> = {
  alpha: ["owners.lower_login", "repositories.lower_name"],
  created: ["repositories.created_at"],
  updated: ["repositories.updated_at"],
  size: ["repositories.size_bytes"],
  git_size: ["repositories.size_bytes"],
  // Without an area that provides LFS objects, stars or forks, all are equal.
  lfs_size: ["NULL"],
  stars: ["NULL"],
  forks: ["NULL"],
  id: [],
};

/** The dynamic parts of a search: areas' conditions with the values they name. */
export interface SearchSql {
  readonly conditions: readonly string[];
  readonly values: Readonly<Record<string, number>>;
  /** What the account `$around` was given, each an SQL query for ids. */
  readonly shared: readonly string[];
}

const searched = (viewer: Viewer, shared: readonly string[]) => `${viewer.isVisible} AND ${isOpenWhereAsked}
  AND ($isPrivate IS NULL OR repositories.is_private = $isPrivate)
  AND ($isTemplate IS NULL OR repositories.is_template = $isTemplate)
  AND ($isFork IS NULL OR (repositories.fork_of IS NOT NULL) = $isFork)
  AND ($isMirror IS NULL OR repositories.is_mirror = $isMirror)
  AND ($isArchived IS NULL OR repositories.is_archived = $isArchived)
  AND ($around = 0 OR (repositories.owner_id = $around AND NOT $collaborative) OR (NOT $exclusive AND repositories.id IN
    (${shared.join(" UNION ")})))`;

/** Everything the viewer can see that passes the filter. */
export function filtered(viewer: Viewer, filter: SearchFilter, { conditions, values, shared }: SearchSql): ListQuery {
  const isExclusive = filter.around !== undefined && filter.exclusive;
  const where = [
    searched(viewer, shared),
    ...conditions,
    // These have an index.
    ...(isExclusive ? ["repositories.owner_id = $around"] : []),
    ...(filter.language === ""
      ? []
      : ["repositories.primary_language <> '' AND repositories.primary_language = $language COLLATE NOCASE"]),
  ];
  const params = {
    ...viewer.params,
    ...values,
    ...(filter.language === "" ? {} : { language: filter.language }),
    around: filter.around ?? 0,
    exclusive: flag(filter.exclusive),
    collaborative: flag(filter.collaborative),
    onlyPublic: flag(filter.onlyPublic),
    isPrivate: flag(filter.isPrivate),
    isTemplate: flag(filter.isTemplate),
    isArchived: flag(filter.isArchived),
    isFork: flag(filter.isFork),
    isMirror: flag(filter.isMirror),
  };
  return { where: where.join(" AND "), params };
}

/** Restricts a query to a few ids. */
export function amongFew(query: ListQuery, ids: readonly IdList[]): ListQuery {
  return {
    ...query,
    narrowed: "repositories.id IN (SELECT value FROM json_each($few))",
    params: { ...query.params, few: JSON.stringify(ids.flatMap((list) => [...list])) },
  };
}

/**
 * Something else words match: an SQL condition on `repositories`, and a query for their ids.
 * @param word SQL of it in lower case; `whole` SQL that is true if only whole words match
 */
export interface WordSource {
  readonly condition: (word: string, whole: string) => string;
  readonly ids: (word: string, whole: string) => string;
}

const hasWord = (
  words: readonly WordSource[],
) => `((NOT $topicOnly AND (instr(repositories.lower_name, lower($word)) > 0
    OR ($inDescription AND instr(lower(repositories.description), lower($word)) > 0)
    OR ($owner IS NOT NULL AND instr(owners.lower_login, lower($owner)) > 0 AND instr(repositories.lower_name, lower($name)) > 0)))
  ${words.map(({ condition }) => `OR ${condition("lower($word)", "$topicOnly")}`).join(" ")})`;

/** A superset of what the word finds: few rows are examined then, however many repositories there are. */
const candidates = (words: readonly WordSource[]) => `repositories.id IN (
  SELECT rowid FROM repository_names WHERE $names <> '' AND repository_names MATCH $names AND NOT $topicOnly
  UNION SELECT owned.id FROM user_names JOIN repositories AS owned ON owned.owner_id = user_names.rowid
    WHERE $owners <> '' AND user_names MATCH $owners AND NOT $topicOnly
  ${words.map(({ ids }) => `UNION ${ids("lower($word)", "$topicOnly")}`).join(" ")})`;

/**
 * The index queries for names and owners; undefined if the word is too short for the indexes. An owner may have ten
 * thousand repositories, so a name given with the owner is used instead if it is long enough.
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

/** Where a word is searched for. */
export interface WordPlaces {
  readonly inDescription: boolean;
  /** Only words contributed by areas match, and only whole ones. */
  readonly topicOnly: boolean;
}

/** All repositories a word finds, visible or not. */
export function withWord(asked: Word, places: WordPlaces, words: readonly WordSource[]): ListQuery {
  const queries = indexQueries(asked, places.inDescription);
  return {
    ...(queries ? { narrowed: candidates(words) } : {}),
    where: hasWord(words),
    params: {
      ...asked,
      inDescription: flag(places.inDescription),
      topicOnly: flag(places.topicOnly),
      ...queries,
    },
  };
}

/** Everything these accounts own. @param logins in lower case */
export function ownedByNamed(logins: readonly string[]): ListQuery {
  return {
    where:
      "repositories.owner_id IN (SELECT id FROM users WHERE lower_login IN (SELECT value FROM json_each($logins)))",
    params: { logins: JSON.stringify(logins) },
  };
}

/** Everything an account owns. */
export function ownedByNumbered(id: number): ListQuery {
  return { where: "repositories.owner_id = $owner", params: { owner: id } };
}

const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);

/** The sort key of a search. */
export interface OrderKey {
  /** SQL terms, most significant first. */
  readonly terms: readonly string[];
  /** `repository_list_changes` records every repository whose only term changes. */
  readonly isTold?: boolean;
}

export interface Order extends OrderKey {
  readonly descending: boolean;
}

/** All repositories by a key. */
export const everyRepoBy = (key: string): ListQuery => ({ where: "TRUE", key, params: {} });

const orderSql = ({ terms, descending }: Order) =>
  [...terms, "repositories.id"].map((term) => (descending ? `${term} DESC` : term)).join(", ");

/** Sorts all of these repositories. */
export function sorted(db: Database, found: IdList, order: Order): IdList {
  const sql = `SELECT repositories.id FROM json_each($found) AS found CROSS JOIN repositories ON repositories.id = found.value
    CROSS JOIN users AS owners ON owners.id = repositories.owner_id ORDER BY ${orderSql(order)}`;
  return readIds(db, sql, { found: JSON.stringify([...found]) });
}

/** A page of many in order, walking an index as far as the page needs. */
export function walkInOrder(db: Database, found: IdList, order: Order, limit: number, offset: number): Repo[] {
  const isFound = membership([found]);
  const page: number[] = [];
  let passed = 0;
  // For orders by owner, owners come first in the join, so that indexes provide the order of both.
  const source = order.terms[0]?.startsWith("owners.")
    ? "FROM users AS owners CROSS JOIN repositories ON repositories.owner_id = owners.id"
    : fromRepos;
  const walk = db.query<{ id: number }>(`SELECT repositories.id ${source} ORDER BY ${orderSql(order)}`);
  for (const { id } of walk.iterate()) {
    if (isFound[id] !== 1 || passed++ < offset) continue;
    page.push(id);
    if (page.length === limit) break;
  }
  return rowsOf(db, page);
}

/** A page of an already ordered list. */
export function pageOfIds(db: Database, list: IdList, limit: number, offset: number): Repo[] {
  return rowsOf(db, [...list.subarray(offset, offset + limit)]);
}
