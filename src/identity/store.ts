import type { AccessParams } from "../access/conditions.ts";
import type { Visibility } from "../access/levels.ts";
import type { User, UserKind } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { noUserCounts, type UserCountName, type UserCounts } from "./types.ts";

/** A row of `users` as selected by `userColumns`. */
export interface UserRow {
  id: number;
  login: string;
  kind: UserKind;
  full_name: string;
  email: string;
  hide_email: number;
  hide_activity: number;
  has_password: number;
  must_change_password: number;
  is_admin: number;
  is_active: number;
  is_restricted: number;
  prohibit_login: number;
  visibility: Visibility;
  language: string;
  theme: string;
  diff_view_style: string;
  website: string;
  location: string;
  description: string;
  pronouns: string;
  avatar: string;
  source_id: number;
  login_name: string;
  allow_git_hook: number;
  allow_import_local: number;
  allow_create_organization: number;
  max_repo_creation: number;
  last_login_at: number | null;
  created_at: number;
  updated_at: number;
}

export const userColumns = `users.id, users.login, users.kind, users.full_name, users.email, users.hide_email, users.hide_activity,
  users.password_hash IS NOT NULL AS has_password, users.must_change_password, users.is_admin, users.is_active, users.is_restricted,
  users.prohibit_login, users.visibility, users.language, users.theme, users.diff_view_style, users.website, users.location,
  users.description, users.pronouns, users.avatar, users.source_id, users.login_name, users.allow_git_hook, users.allow_import_local,
  users.allow_create_organization, users.max_repo_creation, users.last_login_at, users.created_at, users.updated_at`;

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    kind: row.kind,
    fullName: row.full_name,
    email: row.email,
    hideEmail: row.hide_email === 1,
    hideActivity: row.hide_activity === 1,
    hasPassword: row.has_password === 1,
    mustChangePassword: row.must_change_password === 1,
    isAdmin: row.is_admin === 1,
    isActive: row.is_active === 1,
    isRestricted: row.is_restricted === 1,
    prohibitLogin: row.prohibit_login === 1,
    visibility: row.visibility,
    language: row.language,
    theme: row.theme,
    diffViewStyle: row.diff_view_style,
    website: row.website,
    location: row.location,
    description: row.description,
    pronouns: row.pronouns,
    avatar: row.avatar,
    sourceId: row.source_id,
    loginName: row.login_name,
    allowGitHook: row.allow_git_hook === 1,
    allowImportLocal: row.allow_import_local === 1,
    allowCreateOrganization: row.allow_create_organization === 1,
    maxRepoCreation: row.max_repo_creation,
    lastLoginAt: row.last_login_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function findUserById(db: Database, id: number): User | undefined {
  const row = db.query<UserRow>(`SELECT ${userColumns} FROM users WHERE id = ?`).get(id);
  return row ? toUser(row) : undefined;
}

/** System accounts are excluded: they have no page and cannot be named. */
export function findUserByLogin(db: Database, login: string): User | undefined {
  const row = db
    .query<UserRow>(`SELECT ${userColumns} FROM users WHERE lower_login = ? AND kind <> 'reserved'`)
    .get(login.toLowerCase());
  return row ? toUser(row) : undefined;
}

/** By any verified address. */
export function findUserByEmail(db: Database, email: string): User | undefined {
  const row = db
    .query<UserRow>(
      `SELECT ${userColumns} FROM user_emails JOIN users ON users.id = user_emails.user_id WHERE lower_email = ? AND is_verified = 1`,
    )
    .get(email.toLowerCase());
  return row ? toUser(row) : undefined;
}

/** Active accounts with these names that fulfil the condition. */
export function findUsersByLogins(
  db: Database,
  viewer: { readonly isVisible: string; readonly params: AccessParams },
  logins: readonly string[],
): User[] {
  const rows = db
    .query<UserRow>(
      `SELECT ${userColumns} FROM users WHERE lower_login IN (SELECT value FROM json_each($logins))
         AND kind IN ('individual', 'bot', 'organization') AND is_active = 1 AND prohibit_login = 0 AND (${viewer.isVisible})`,
    )
    .all({ ...viewer.params, logins: JSON.stringify(logins.map((login) => login.toLowerCase())) });
  return rows.map(toUser);
}

/** By any address, verified or not: for mails to an account that still waits for activation. */
export function findUserByAnyEmail(db: Database, email: string): User | undefined {
  const row = db
    .query<UserRow>(
      `SELECT ${userColumns} FROM user_emails JOIN users ON users.id = user_emails.user_id WHERE lower_email = ?`,
    )
    .get(email.toLowerCase());
  return row ? toUser(row) : undefined;
}

/** People who registered before that time, never confirmed their address and never signed in, by id. */
export function usersAwaited(db: Database, before: number, after: number, limit: number): User[] {
  return db
    .query<UserRow>(
      `SELECT ${userColumns} FROM users
       WHERE is_active = 0 AND kind = 'individual' AND last_login_at IS NULL AND created_at < ? AND users.id > ?
         AND EXISTS (SELECT 1 FROM user_emails WHERE user_id = users.id AND is_primary = 1 AND is_verified = 0)
       ORDER BY users.id LIMIT ?`,
    )
    .all(before, after, limit)
    .map(toUser);
}

export function findUsersByIds(db: Database, ids: readonly number[]): User[] {
  if (ids.length === 0) return [];
  return db
    .query<UserRow>(`SELECT ${userColumns} FROM users WHERE id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids))
    .map(toUser);
}

/** Accounts by proven address, case-folded: the commit authors of a page are looked up in one query. */
export function findUsersByEmails(db: Database, emails: readonly string[]): Map<string, User> {
  const rows = db
    .query<UserRow & { lower_email: string }>(
      `SELECT user_emails.lower_email, ${userColumns} FROM user_emails JOIN users ON users.id = user_emails.user_id
       WHERE is_proven = 1 AND lower_email IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([...new Set(emails.map((email) => email.toLowerCase()))]));
  return new Map(rows.map((row) => [row.lower_email, toUser(row)]));
}

export function redirectedUserId(db: Database, login: string): number | undefined {
  return db
    .query<{ user_id: number }>("SELECT user_id FROM user_redirects WHERE lower_login = ?")
    .get(login.toLowerCase())?.user_id;
}

export function removeUserRedirect(db: Database, login: string): void {
  db.query("DELETE FROM user_redirects WHERE lower_login = ?").run(login.toLowerCase());
}

export function addUserRedirect(db: Database, login: string, userId: number): void {
  db.query("INSERT OR REPLACE INTO user_redirects (lower_login, user_id) VALUES (?, ?)").run(
    login.toLowerCase(),
    userId,
  );
}

export interface NewUser {
  login: string;
  kind: UserKind;
  email: string;
  fullName: string;
  passwordHash: string | null;
  mustChangePassword: boolean;
  isAdmin: boolean;
  isActive: boolean;
  isRestricted: boolean;
  visibility: Visibility;
  loginName: string;
  sourceId: number;
  createdAt: number;
}

export function insertUser(db: Database, user: NewUser): number {
  const { id } = db
    .query<{ id: number }>(
      `INSERT INTO users (login, lower_login, kind, email, full_name, password_hash, must_change_password, is_admin, is_active, is_restricted,
         visibility, login_name, source_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    )
    .get(
      user.login,
      user.login.toLowerCase(),
      user.kind,
      user.email,
      user.fullName,
      user.passwordHash,
      user.mustChangePassword ? 1 : 0,
      user.isAdmin ? 1 : 0,
      user.isActive ? 1 : 0,
      user.isRestricted ? 1 : 0,
      user.visibility,
      user.loginName,
      user.sourceId,
      user.createdAt,
      user.createdAt,
    ) ?? { id: 0 };
  return id;
}

export function findUserByAvatar(db: Database, address: string): User | undefined {
  const row = db.query<UserRow>(`SELECT ${userColumns} FROM users WHERE avatar = ? AND avatar <> ''`).get(address);
  return row ? toUser(row) : undefined;
}

export function setUserAvatar(db: Database, id: number, address: string, now: number): void {
  db.query("UPDATE users SET avatar = ?, updated_at = ? WHERE id = ?").run(address, now, id);
}

/** The columns an edit may change, by the services' field names. */
const editable = {
  fullName: "full_name",
  email: "email",
  hideEmail: "hide_email",
  hideActivity: "hide_activity",
  mustChangePassword: "must_change_password",
  isAdmin: "is_admin",
  isActive: "is_active",
  isRestricted: "is_restricted",
  prohibitLogin: "prohibit_login",
  visibility: "visibility",
  language: "language",
  theme: "theme",
  diffViewStyle: "diff_view_style",
  website: "website",
  location: "location",
  description: "description",
  pronouns: "pronouns",
  sourceId: "source_id",
  loginName: "login_name",
  allowGitHook: "allow_git_hook",
  allowImportLocal: "allow_import_local",
  allowCreateOrganization: "allow_create_organization",
  maxRepoCreation: "max_repo_creation",
  passwordHash: "password_hash",
  lastLoginAt: "last_login_at",
} as const;

export type UserEdit = Partial<{
  -readonly [K in keyof typeof editable]: K extends "passwordHash"
    ? string | null
    : K extends "lastLoginAt"
      ? number
      : K extends keyof User
        ? User[K]
        : never;
}>;

export function updateUser(db: Database, id: number, edit: UserEdit, now: number): void {
  for (const [field, value] of Object.entries(edit)) {
    if (value === undefined || !(field in editable)) continue;
    const column = editable[field as keyof typeof editable];
    // The statement's text comes from the constant table above, so there is one cached statement per column.
    db.query(`UPDATE users SET ${column} = ?, updated_at = ? WHERE id = ?`).run(
      typeof value === "boolean" ? (value ? 1 : 0) : value,
      now,
      id,
    );
  }
}

export function renameUser(db: Database, id: number, login: string, now: number): void {
  db.query("UPDATE users SET login = ?, lower_login = ?, updated_at = ? WHERE id = ?").run(
    login,
    login.toLowerCase(),
    now,
    id,
  );
}

export function deleteUserRow(db: Database, id: number): void {
  db.query("DELETE FROM users WHERE id = ?").run(id);
}

export function passwordHashOf(db: Database, id: number): string | undefined {
  return (
    db.query<{ password_hash: string | null }>("SELECT password_hash FROM users WHERE id = ?").get(id)?.password_hash ??
    undefined
  );
}

export function hasAnyUser(db: Database): boolean {
  return db.query("SELECT 1 FROM users WHERE kind IN ('individual', 'bot') LIMIT 1").get() !== null;
}

export function countPeople(db: Database, signedInAfter?: number): number {
  return (
    db
      .query<{ n: number }>(
        "SELECT count(*) AS n FROM users WHERE kind = 'individual' AND ($after IS NULL OR last_login_at > $after)",
      )
      .get({ after: signedInAfter ?? null })?.n ?? 0
  );
}

export function countActiveAdmins(db: Database, except: number): number {
  return (
    db
      .query<{ n: number }>(
        "SELECT count(*) AS n FROM users WHERE is_admin = 1 AND is_active = 1 AND prohibit_login = 0 AND kind = 'individual' AND id <> ?",
      )
      .get(except)?.n ?? 0
  );
}

/** The counts of each of these accounts, in one query. @param counts SQL by name, as passed to `addCount` */
export function userCountsOf(
  db: Database,
  counts: ReadonlyMap<UserCountName, string>,
  userIds: readonly number[],
): Map<number, UserCounts> {
  if (counts.size === 0) return new Map();
  const columns = [...counts].map(([name, sql]) => `, (${sql}) AS ${name}`).join("");
  const rows = db
    .query<{ id: number } & Partial<UserCounts>>(`SELECT wanted.value AS id${columns} FROM json_each(?) AS wanted`)
    .all(JSON.stringify(userIds));
  return new Map(rows.map(({ id, ...counted }) => [id, { ...noUserCounts, ...counted }]));
}
