import type { AccessParams } from "../access/conditions.ts";
import type { Visibility } from "../access/levels.ts";
import type { User, UserKind } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { hasTrigrams, trigramQuery } from "../db/trigrams.ts";
import { toUser, type UserRow, userColumns } from "./store.ts";

/** What a list of accounts may be narrowed to; undefined means any. */
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
  AND ($text = '' OR instr(lower_login, $text) > 0 OR instr(lower(full_name), $text) > 0
       OR ($emails = 'all' AND instr(lower(users.email), $text) > 0)
       OR ($emails = 'shown' AND hide_email = 0 AND lower(users.email) = $text))
  AND ($loginName IS NULL OR login_name = $loginName) AND ($sourceId IS NULL OR source_id = $sourceId)
  AND ($isActive IS NULL OR is_active = $isActive) AND ($isAdmin IS NULL OR is_admin = $isAdmin)
  AND ($isRestricted IS NULL OR is_restricted = $isRestricted) AND ($prohibitLogin IS NULL OR prohibit_login = $prohibitLogin)
  AND ($hasSecondFactor IS NULL OR ${hasSecondFactor} = $hasSecondFactor)`;

/** All whom a text can find, and perhaps more. */
const usersNamed = `users.id IN (SELECT rowid FROM user_names WHERE user_names MATCH $names
  UNION SELECT user_id FROM user_emails WHERE lower_email = $text)`;

export function listUsers(
  db: Database,
  viewer: { readonly isVisible: string; readonly params: AccessParams },
  /** SQL condition for `users`. */
  hasSecondFactor: string,
  filter: UserFilter,
  order: { by: keyof typeof userOrders; descending: boolean },
  limit: number,
  offset: number,
): { items: User[]; total: number } {
  const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0);
  const params = {
    ...viewer.params,
    kinds: JSON.stringify(filter.kinds),
    visibility: filter.visibility ?? null,
    text: filter.text.toLowerCase(),
    emails: filter.searchEmails,
    loginName: filter.loginName ?? null,
    sourceId: filter.sourceId ?? null,
    isActive: flag(filter.isActive),
    isAdmin: flag(filter.isAdmin),
    isRestricted: flag(filter.isRestricted),
    prohibitLogin: flag(filter.prohibitLogin),
    hasSecondFactor: flag(filter.hasSecondFactor),
  };
  const searched = hasTrigrams(params.text);
  const where = `${searched ? `${usersNamed} AND ` : ""}${filterSql(viewer.isVisible, hasSecondFactor)}`;
  const columnsSearched = filter.searchEmails === "all" ? ["login", "full_name", "email"] : ["login", "full_name"];
  const found: Record<string, string | number | null> = searched
    ? { ...params, names: trigramQuery(params.text, columnsSearched) }
    : params;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM users WHERE ${where}`).get(found)?.n ?? 0;
  const direction = order.descending ? "DESC" : "ASC";
  const items = db
    .query<UserRow>(
      `SELECT ${userColumns} FROM users WHERE ${where} ORDER BY ${userOrders[order.by]} ${direction}, users.id LIMIT $limit OFFSET $offset`,
    )
    .all({ ...found, limit, offset })
    .map(toUser);
  return { items, total };
}
