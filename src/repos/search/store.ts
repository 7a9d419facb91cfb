import type { AccessParams } from "../../access/conditions.ts";
import type { Database } from "../../db/database.ts";
import { type RepoRow, repoColumns, toRepo } from "../store.ts";
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

function pageOf(db: Database, where: string, order: string, params: Params, limit: number, offset: number): Found {
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<RepoRow>(`SELECT ${repoColumns} ${from} WHERE ${where} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset })
    .map(toRepo);
  return { items, total };
}

/** What one account owns, oldest first. */
export function reposOf(db: Database, ownerId: number, viewer: Viewer, limit: number, offset: number): Found {
  const params = { ...viewer.params, owner: ownerId };
  return pageOf(db, `repositories.owner_id = $owner AND ${viewer.isVisible}`, "repositories.id", params, limit, offset);
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
): Found {
  const where = `repositories.id IN (
      SELECT id FROM repositories WHERE owner_id = $user
      UNION SELECT repo_id FROM collaborators JOIN repositories AS given ON given.id = repo_id
        JOIN users AS giver ON giver.id = given.owner_id
        WHERE user_id = $user AND (level <> 'read' OR given.is_private = 1 OR giver.visibility = 'private')
      ${shared.map((sql) => `UNION ${sql}`).join(" ")})
    AND ($part = '' OR instr(repositories.lower_name, lower($part)) > 0) AND ${viewer.isVisible}`;
  return pageOf(
    db,
    where,
    "repositories.lower_name, repositories.id",
    { ...viewer.params, user: userId, part },
    limit,
    offset,
  );
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
 * SQL that holds for `repositories` that a word finds. @param word SQL of the word in lower case; `whole` SQL that is true
 * when a part of a word does not count
 */
export type WordCondition = (word: string, whole: string) => string;

/** The parts of a search that are text: the order, and conditions of areas with the values they name. */
export interface SearchSql {
  readonly order: { readonly key: string; readonly descending: boolean };
  readonly conditions: readonly string[];
  readonly words: readonly WordCondition[];
  readonly values: Readonly<Record<string, number>>;
  /** What the account `$around` was given, each an SQL query for ids. */
  readonly shared: readonly string[];
}

const searched = (viewer: Viewer, words: readonly WordCondition[], shared: readonly string[]) => `${viewer.isVisible}
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
    ${words.map((condition) => `OR ${condition("lower(word.value ->> 'word')", "$topicOnly")}`).join(" ")}))`;

const preferred = `repositories.owner_id = $firstOwner DESC, EXISTS (SELECT 1 FROM json_each($words) AS word
  WHERE owners.lower_login = lower(word.value ->> 'owner')) DESC`;

const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);

export function searchRepos(
  db: Database,
  viewer: Viewer,
  filter: SearchFilter,
  { order, conditions, words, values, shared }: SearchSql,
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
  const where = [searched(viewer, words, shared), ...conditions].join(" AND ");
  const by = `${order.key}${order.descending ? " DESC" : ""}`;
  return pageOf(db, where, `${preferred}, ${by}, repositories.id`, params, limit, offset);
}
