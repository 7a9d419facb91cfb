import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { hasTrigrams, trigramQuery } from "../../db/trigrams.ts";
import { findReposById } from "../store.ts";
import type { Repo } from "../types.ts";

/** Who looks: the condition that holds for what they see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

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
 * What an account owns or was given more on than everyone has, by name.
 * @param shared SQL for what it was given otherwise, as `RepoSearch.addShared` has it
 * @param part of the name, any letter case; empty: all
 */
export function reposAround(
  db: Database,
  userId: number,
  viewer: Viewer,
  shared: readonly string[],
  part: string,
  limit: number,
  offset: number,
  total: RememberedTotal,
): Found {
  const isWanted = `($part = '' OR instr(repositories.lower_name, lower($part)) > 0) AND ${viewer.isVisible}`;
  const owned = `SELECT repositories.id ${from} WHERE repositories.owner_id = $user AND ${isWanted}`;
  const whereOwned = (ids: string) => `repositories.id IN (SELECT id FROM (${ids})
      UNION SELECT repo_id FROM collaborators JOIN repositories AS given ON given.id = repo_id
        JOIN users AS giver ON giver.id = given.owner_id
        WHERE user_id = $user AND (level <> 'read' OR given.is_private = 1 OR giver.visibility = 'private')
      ${shared.map((sql) => `UNION ${sql}`).join(" ")})
    AND ${isWanted}`;
  const params = { ...viewer.params, user: userId, part };
  const order = "repositories.lower_name, repositories.id";
  // Of their own no more are read than may stand on the page: an index has them by name.
  const first = whereOwned(`${owned} ORDER BY repositories.lower_name LIMIT $limit + $offset`);
  return pageOf(db, first, order, params, limit, offset, () => total(() => countOf(db, whereOwned(owned), params)));
}

/** One of the words looked for; `owner` and `name` when it was written with one slash. */
export interface Word {
  readonly word: string;
  readonly owner: string | null;
  readonly name: string | null;
}

export interface SearchFilter {
  /** None: everything matches. */
  readonly words: readonly Word[];
  readonly inDescription: boolean;
  /** Only what areas contribute for words matches, and only as a whole. */
  readonly topicOnly: boolean;
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
 * What else words find: SQL that holds for `repositories`, and a query for their ids. @param words SQL of a table of all
 * words; `word` SQL of one in lower case; `whole` SQL that is true when a part of a word does not count
 */
export interface WordSource {
  readonly condition: (word: string, whole: string) => string;
  readonly ids: (words: string, word: string, whole: string) => string;
}

/** The parts of a search that are text: the order, and conditions of areas with the values they name. */
export interface SearchSql {
  readonly order: { readonly key: string; readonly descending: boolean };
  readonly conditions: readonly string[];
  readonly words: readonly WordSource[];
  readonly values: Readonly<Record<string, number>>;
  /** What the account `$around` was given, each an SQL query for ids. */
  readonly shared: readonly string[];
  readonly total: RememberedTotal;
}

const searched = (viewer: Viewer, words: readonly WordSource[], shared: readonly string[]) => `${viewer.isVisible}
  AND (NOT $onlyPublic OR (repositories.is_private = 0 AND owners.visibility = 'public'))
  AND ($isPrivate IS NULL OR repositories.is_private = $isPrivate)
  AND ($isTemplate IS NULL OR repositories.is_template = $isTemplate)
  AND ($isFork IS NULL OR (repositories.fork_of IS NOT NULL) = $isFork)
  AND ($isArchived IS NULL OR repositories.is_archived = $isArchived)
  AND ($around = 0 OR (repositories.owner_id = $around AND NOT $collaborative) OR (NOT $exclusive AND repositories.id IN
    (${shared.join(" UNION ")})))
  AND ($words = '[]' OR EXISTS (SELECT 1 FROM json_each($words) AS word WHERE
    (NOT $topicOnly AND (instr(repositories.lower_name, lower(word.value ->> 'word')) > 0
      OR ($inDescription AND instr(lower(repositories.description), lower(word.value ->> 'word')) > 0)
      OR (word.value ->> 'owner' IS NOT NULL AND instr(owners.lower_login, lower(word.value ->> 'owner')) > 0
        AND instr(repositories.lower_name, lower(word.value ->> 'name')) > 0)))
    ${words.map(({ condition }) => `OR ${condition("lower(word.value ->> 'word')", "$topicOnly")}`).join(" ")}))`;

/** All that the words can find, and perhaps more: few are looked at then, however many there are. */
const candidates = (words: readonly WordSource[]) => `repositories.id IN (
  SELECT rowid FROM repository_names WHERE $names <> '' AND repository_names MATCH $names AND NOT $topicOnly
  UNION SELECT owned.id FROM user_names JOIN repositories AS owned ON owned.owner_id = user_names.rowid
    WHERE $owners <> '' AND user_names MATCH $owners AND NOT $topicOnly
  ${words.map(({ ids }) => `UNION ${ids("json_each($words) AS word", "lower(word.value ->> 'word')", "$topicOnly")}`).join(" ")})`;

/**
 * What finds them, in names and by their owners; undefined: some word is too short for the indexes. An owner may have ten
 * thousand, so the name that is asked for with it finds them, if it is long enough.
 */
function indexQueries({ words, inDescription }: SearchFilter): { names: string; owners: string } | undefined {
  const byName = ({ name }: Word) => name !== null && hasTrigrams(name);
  if (words.length === 0 || !words.every((each) => byName(each) || hasTrigrams(each.owner ?? each.word)))
    return undefined;
  const columns = inDescription ? ["name", "description"] : ["name"];
  const names = words.flatMap((each) => [
    trigramQuery(each.word, columns),
    ...(byName(each) ? [trigramQuery(each.name ?? "", ["name"])] : []),
  ]);
  const owners = words.flatMap((each) =>
    each.owner === null || byName(each) ? [] : trigramQuery(each.owner, ["login"]),
  );
  return { names: names.join(" OR "), owners: owners.join(" OR ") };
}

const ownersFirst = "repositories.owner_id = $firstOwner DESC";
const namedOwnersFirst = `EXISTS (SELECT 1 FROM json_each($words) AS word
  WHERE owners.lower_login = lower(word.value ->> 'owner')) DESC`;

const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);

export function searchRepos(
  db: Database,
  viewer: Viewer,
  filter: SearchFilter,
  { order, conditions, words, values, shared, total }: SearchSql,
  limit: number,
  offset: number,
): Found {
  const params = {
    ...viewer.params,
    ...values,
    words: JSON.stringify(filter.words),
    inDescription: flag(filter.inDescription),
    topicOnly: flag(filter.topicOnly),
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
  const queries = indexQueries(filter);
  const isExclusive = filter.around !== undefined && filter.exclusive;
  const where = [
    ...(queries ? [candidates(words)] : []),
    // An index finds them by that.
    ...(isExclusive ? ["repositories.owner_id = $around"] : []),
    searched(viewer, words, shared),
    ...conditions,
  ].join(" AND ");
  // Without those that come first, an index may have the order already.
  const by = [
    ...(filter.firstOwner > 0 ? [ownersFirst] : []),
    ...(filter.words.some(({ owner }) => owner !== null) ? [namedOwnersFirst] : []),
    `${order.key}${order.descending ? " DESC" : ""}`,
    `repositories.id${order.descending ? " DESC" : ""}`,
  ];
  const all = { ...params, ...queries };
  return filter.words.length > 0
    ? countedPageOf(db, where, by.join(", "), all, limit, offset)
    : pageOf(db, where, by.join(", "), all, limit, offset, total);
}
