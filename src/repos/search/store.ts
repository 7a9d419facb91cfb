import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { hasTrigrams, trigramQuery } from "../../db/trigrams.ts";

/** Who looks: the condition that holds for what they see (src/access), and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

const from = "FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id";

/** The ids of a page, and how many there are on all pages. */
export interface Found {
  readonly ids: number[];
  readonly total: number;
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

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

/** What is found in an order that an index has: as much is read as the page needs; how much there is, `total` says. */
function pageOf(
  db: Database,
  where: string,
  order: string,
  params: Params,
  limit: number,
  offset: number,
  total: () => number,
): Found {
  const found = db
    .query<{ id: number }>(
      `SELECT repositories.id ${from} WHERE ${where} ORDER BY ${order} LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  return { ids: idsOf(found), total: total() };
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
  if (!first) return { ids: [], total: offset === 0 ? 0 : countOf(db, where, params) };
  return { ids: idsOf(page), total: first.total };
}

function countOf(db: Database, where: string, params: Params): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${where}`).get(params)?.n ?? 0;
}

/** @param max where counting ends */
function countUpTo(db: Database, where: string, params: Params, max: number): number {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 ${from} WHERE ${where} LIMIT $max)`;
  return db.query<{ n: number }>(sql).get({ ...params, max })?.n ?? 0;
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
  return pageOf(db, where, "repositories.id", params, limit, offset, () => total(() => countOf(db, where, params)));
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

/** An order of repositories. */
export interface Order {
  /** SQL expressions of `repositories` and `owners`, the smallest first. */
  readonly keys: readonly string[];
  /** Whether it changes without a change of `repository_lists`, as the time of the last push does. */
  readonly isMoving: boolean;
}

const settled = (...keys: string[]): Order => ({ keys, isMoving: false });
const moving = (key: string): Order => ({ keys: [key], isMoving: true });

/** What `sort` may ask for without other areas; by name is what comes when nothing is asked for. */
export const ownOrders = {
  "": settled("repositories.lower_name"),
  alpha: settled("owners.lower_login", "repositories.lower_name"),
  created: settled("repositories.created_at"),
  updated: moving("repositories.updated_at"),
  size: moving("repositories.size_bytes"),
  git_size: moving("repositories.size_bytes"),
  // Nothing is stored as LFS, starred or forked unless an area says so: all are equal.
  lfs_size: settled("NULL"),
  stars: settled("NULL"),
  forks: settled("NULL"),
  id: settled("repositories.id"),
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
  readonly order: Order & { readonly isDescending: boolean };
  readonly conditions: readonly string[];
  readonly words: readonly WordSource[];
  readonly values: Readonly<Record<string, number>>;
  /** What the account `$around` was given, each an SQL query for ids. */
  readonly shared: readonly string[];
  readonly total: RememberedTotal;
}

const searched = (viewer: Viewer, shared: readonly string[]) => `${viewer.isVisible}
  AND (NOT $onlyPublic OR (repositories.is_private = 0 AND owners.visibility = 'public'))
  AND ($isPrivate IS NULL OR repositories.is_private = $isPrivate)
  AND ($isTemplate IS NULL OR repositories.is_template = $isTemplate)
  AND ($isFork IS NULL OR (repositories.fork_of IS NOT NULL) = $isFork)
  AND ($isArchived IS NULL OR repositories.is_archived = $isArchived)
  AND ($around = 0 OR (repositories.owner_id = $around AND NOT $collaborative) OR (NOT $exclusive AND repositories.id IN
    (${shared.join(" UNION ")})))`;

/** One of the words is there. Each has parameters of its own: to read them out of JSON for each row takes most of the time. */
const hasWord = (count: number, sources: readonly WordSource[]) =>
  `(${Array.from({ length: count }, (_, at) => {
    const word = `lower($word${at})`;
    return `(NOT $topicOnly AND (instr(repositories.lower_name, ${word}) > 0
      OR ($inDescription AND instr(lower(repositories.description), ${word}) > 0)
      OR ($owner${at} <> '' AND instr(repositories.lower_name, lower($name${at})) > 0
        AND instr(owners.lower_login, lower($owner${at})) > 0)))
    ${sources.map(({ condition }) => `OR ${condition(word, "$topicOnly")}`).join(" ")}`;
  }).join(" OR ")})`;

/**
 * Where words may find more than this, repositories are read in the order that is asked for until the page is full, and
 * counted no further than this past it.
 */
const MAX_COUNTED = 500;

/**
 * The ids of all that the words find as a JSON array, and of others unless `topicOnly`; undefined: some word is too short
 * for the indexes, or they find too many. An owner may have ten thousand, so the name that is asked for with it finds
 * them, if it is long enough.
 */
function candidates(
  db: Database,
  { words, inDescription, topicOnly }: SearchFilter,
  sources: readonly WordSource[],
  params: Params,
): string | undefined {
  const byName = ({ name }: Word) => name !== null && hasTrigrams(name);
  if (!topicOnly && !words.every((each) => byName(each) || hasTrigrams(each.owner ?? each.word))) return undefined;
  const columns = inDescription ? ["name", "description"] : ["name"];
  const names = words.flatMap((each) => [
    trigramQuery(each.word, columns),
    ...(byName(each) ? [trigramQuery(each.name ?? "", ["name"])] : []),
  ]);
  const owners = words.flatMap((each) =>
    each.owner === null || byName(each) ? [] : trigramQuery(each.owner, ["login"]),
  );
  const queries = [
    ...(topicOnly ? [] : ["SELECT rowid AS id FROM repository_names WHERE repository_names MATCH $names"]),
    ...(topicOnly || owners.length === 0
      ? []
      : [
          `SELECT owned.id FROM user_names JOIN repositories AS owned ON owned.owner_id = user_names.rowid
           WHERE user_names MATCH $owners`,
        ]),
    ...sources.map(({ ids }) => ids("json_each($words) AS word", "lower(word.value ->> 'word')", "$topicOnly")),
  ];
  if (queries.length === 0) return "[]";
  const found = db
    .query<{ ids: string; n: number }>(
      `SELECT json_group_array(id) AS ids, count(*) AS n FROM (SELECT id FROM (${queries.join(" UNION ALL ")}) LIMIT $max)`,
    )
    .get({ ...params, names: names.join(" OR "), owners: owners.join(" OR "), max: MAX_COUNTED + 1 });
  return found && found.n <= MAX_COUNTED ? found.ids : undefined;
}

const ownersFirst = "repositories.owner_id = $firstOwner DESC";
const namedOwnersFirst = (count: number) =>
  `owners.lower_login IN (${Array.from({ length: count }, (_, at) => `lower($owner${at})`).join(", ")}) DESC`;

const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);

export function searchRepos(
  db: Database,
  viewer: Viewer,
  filter: SearchFilter,
  { order, conditions, words: sources, values, shared, total }: SearchSql,
  limit: number,
  offset: number,
): Found {
  const { words } = filter;
  const params: Params = {
    ...viewer.params,
    ...values,
    words: JSON.stringify(words),
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
  for (const [at, { word, owner, name }] of words.entries())
    Object.assign(params, { [`word${at}`]: word, [`owner${at}`]: owner ?? "", [`name${at}`]: name ?? "" });
  const isExclusive = filter.around !== undefined && filter.exclusive;
  const where = [
    // An index finds them by that.
    ...(isExclusive ? ["repositories.owner_id = $around"] : []),
    searched(viewer, shared),
    ...conditions,
  ].join(" AND ");
  const direction = order.isDescending ? " DESC" : "";
  // Without those that come first, an index may have the order already.
  const by = [
    ...(filter.firstOwner > 0 ? [ownersFirst] : []),
    ...(words.some(({ owner }) => owner !== null) ? [namedOwnersFirst(words.length)] : []),
    ...order.keys.map((key) => `${key}${direction}`),
    `repositories.id${direction}`,
  ].join(", ");
  if (words.length === 0)
    return pageOf(db, where, by, params, limit, offset, () => total(() => countOf(db, where, params)));
  const matches = `${hasWord(words.length, sources)} AND ${where}`;
  const found = candidates(db, filter, sources, params);
  if (found === undefined)
    return pageOf(db, matches, by, params, limit, offset, () =>
      countUpTo(db, matches, params, offset + limit + MAX_COUNTED),
    );
  const among = `repositories.id IN (SELECT value FROM json_each($found)) AND ${filter.topicOnly ? where : matches}`;
  return countedPageOf(db, among, by, { ...params, found }, limit, offset);
}
