import type { AccessParams } from "../access/conditions.ts";
import type { Visibility } from "../access/levels.ts";
import type { UserKind } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { type IdList, readIds } from "../db/id-lists.ts";
import { hasTrigrams, trigramQuery } from "../db/trigrams.ts";

/** Filter for a list of accounts; undefined means any. */
export interface UserFilter {
  kinds: readonly UserKind[];
  /** Part of the login or full name; of a shown address too when `searchEmails`. */
  text: string;
  searchEmails: "all" | "shown" | "none";
  loginName?: string;
  sourceId?: number;
  visibility?: Visibility;
  isActive?: boolean;
  isAdmin?: boolean;
  isRestricted?: boolean;
  prohibitLogin?: boolean;
  hasSecondFactor?: boolean;
}

export const userOrders = {
  name: "users.lower_login",
  created: "users.created_at",
  updated: "users.updated_at",
  id: "users.id",
} as const;

const filterSql = (
  isVisible: string,
  hasSecondFactor: string,
) => `${isVisible} AND kind IN (SELECT value FROM json_each($kinds))
  AND ($visibility IS NULL OR visibility = $visibility)
  AND ($loginName IS NULL OR login_name = $loginName) AND ($sourceId IS NULL OR source_id = $sourceId)
  AND ($isActive IS NULL OR is_active = $isActive) AND ($isAdmin IS NULL OR is_admin = $isAdmin)
  AND ($isRestricted IS NULL OR is_restricted = $isRestricted) AND ($prohibitLogin IS NULL OR prohibit_login = $prohibitLogin)
  AND ($hasSecondFactor IS NULL OR ${hasSecondFactor} = $hasSecondFactor)`;

/** A superset of the accounts that a text can match. */
const usersNamed = `users.id IN (SELECT rowid FROM user_names WHERE user_names MATCH $names
  UNION SELECT user_id FROM user_emails WHERE lower_email = $text)`;

/** Changes whenever the visibility of accounts changes or a filter may match others. */
export function listsVersion(db: Database): string {
  return String(db.query<{ version: number }>("SELECT version FROM account_lists WHERE rowid = 1").get()?.version ?? 0);
}

/** Whether `listsVersion` covers this list: it does not change with second factors and times of changes. */
export function isRememberable(filter: UserFilter, order: UserOrder): boolean {
  return filter.hasSecondFactor === undefined && order.by !== "updated";
}

/** Ids of all accounts matching a text, regardless of visibility. */
export function idsOfText(db: Database, { text, searchEmails }: Pick<UserFilter, "text" | "searchEmails">): IdList {
  const wanted = text.toLowerCase();
  const isIndexed = hasTrigrams(wanted);
  const columns = searchEmails === "all" ? ["login", "full_name", "email"] : ["login", "full_name"];
  const sql = `SELECT users.id FROM users WHERE ${isIndexed ? `${usersNamed} AND ` : ""}
    (instr(lower_login, $text) > 0 OR instr(lower(full_name), $text) > 0
      OR ($emails = 'all' AND instr(lower(users.email), $text) > 0)
      OR ($emails = 'shown' AND hide_email = 0 AND lower(users.email) = $text))`;
  const params = { text: wanted, emails: searchEmails };
  return readIds(db, sql, isIndexed ? { ...params, names: trigramQuery(wanted, columns) } : params);
}

export interface UserOrder {
  readonly by: keyof typeof userOrders;
  readonly descending: boolean;
}

interface ListViewer {
  readonly isVisible: string;
  readonly params: AccessParams;
}

/**
 * Ids of the accounts of a list in its order. The filter's text is ignored.
 * @param hasSecondFactor SQL condition for `users`
 * @param found restricts the list to these; undefined: all
 */
export function idsOfUsers(
  db: Database,
  viewer: ListViewer,
  hasSecondFactor: string,
  filter: Omit<UserFilter, "text" | "searchEmails">,
  order: UserOrder,
  found?: IdList,
): IdList {
  const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);
  const params = {
    ...viewer.params,
    kinds: JSON.stringify(filter.kinds),
    visibility: filter.visibility ?? null,
    loginName: filter.loginName ?? null,
    sourceId: filter.sourceId ?? null,
    isActive: flag(filter.isActive),
    isAdmin: flag(filter.isAdmin),
    isRestricted: flag(filter.isRestricted),
    prohibitLogin: flag(filter.prohibitLogin),
    hasSecondFactor: flag(filter.hasSecondFactor),
  };
  const isFound = found ? "users.id IN (SELECT value FROM json_each($found)) AND " : "";
  const direction = order.descending ? "DESC" : "ASC";
  const sql = `SELECT users.id FROM users WHERE ${isFound}${filterSql(viewer.isVisible, hasSecondFactor)}
    ORDER BY ${userOrders[order.by]} ${direction}, users.id`;
  return readIds(db, sql, found ? { ...params, found: JSON.stringify([...found]) } : params);
}
