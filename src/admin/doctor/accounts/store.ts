import type { Database } from "../../../db/database.ts";

/**
 * An invariant of accounts beyond foreign keys and unique columns: the code of the problem, a query for the names of
 * violations, and the statements that repair them, where possible.
 */
export interface AccountCheck {
  readonly code: string;
  readonly find: string;
  readonly repair?: readonly string[];
}

const NAMED = "SELECT u.login AS name FROM users AS u";
const REPO = "owner.login || '/' || r.name";

export const accountChecks: readonly AccountCheck[] = [
  {
    code: "account.no-email-row",
    find: `${NAMED} WHERE u.kind IN ('individual', 'bot') AND u.email <> ''
      AND NOT EXISTS (SELECT 1 FROM user_emails AS e WHERE e.user_id = u.id)`,
    repair: [
      `INSERT OR IGNORE INTO user_emails (user_id, email, lower_email, is_verified, is_primary)
       SELECT u.id, u.email, lower(u.email), 0, 1 FROM users AS u WHERE u.kind IN ('individual', 'bot') AND u.email <> ''
         AND NOT EXISTS (SELECT 1 FROM user_emails AS e WHERE e.user_id = u.id)`,
    ],
  },
  {
    code: "account.primary-email-differs",
    find: `${NAMED} WHERE u.kind IN ('individual', 'bot')
      AND EXISTS (SELECT 1 FROM user_emails AS e WHERE e.user_id = u.id)
      AND (SELECT count(*) FROM user_emails AS e WHERE e.user_id = u.id AND e.is_primary = 1
           AND e.email = u.email) <> 1`,
    repair: [
      // The row with the account's address, else the one marked primary, else the oldest.
      `UPDATE user_emails SET is_primary = (id = (
         SELECT e.id FROM user_emails AS e JOIN users AS u ON u.id = e.user_id WHERE e.user_id = user_emails.user_id
         ORDER BY e.email = u.email DESC, e.is_primary DESC, e.id LIMIT 1))
       WHERE user_id IN (SELECT id FROM users WHERE kind IN ('individual', 'bot'))`,
      `UPDATE users SET email = (SELECT e.email FROM user_emails AS e WHERE e.user_id = users.id AND e.is_primary = 1)
       WHERE kind IN ('individual', 'bot') AND EXISTS (SELECT 1 FROM user_emails AS e WHERE e.user_id = users.id)`,
    ],
  },
  {
    code: "account.no-organization-row",
    find: `${NAMED} WHERE u.kind = 'organization' AND u.id NOT IN (SELECT user_id FROM organizations)`,
    repair: [
      `INSERT INTO organizations (user_id) SELECT id FROM users
       WHERE kind = 'organization' AND id NOT IN (SELECT user_id FROM organizations)`,
    ],
  },
  {
    code: "account.no-team-of-owners",
    find: `${NAMED} JOIN organizations AS o ON o.user_id = u.id
      WHERE NOT EXISTS (SELECT 1 FROM teams AS t WHERE t.organization_id = u.id AND t.level = 'owner')`,
    repair: [
      `INSERT OR IGNORE INTO teams (organization_id, name, lower_name, level, includes_all, can_create_repos, visibility,
         created_at, updated_at)
       SELECT o.user_id, 'Owners', 'owners', 'owner', 1, 1, 'private', u.created_at, u.created_at
       FROM organizations AS o JOIN users AS u ON u.id = o.user_id
       WHERE NOT EXISTS (SELECT 1 FROM teams AS t WHERE t.organization_id = u.id AND t.level = 'owner')`,
    ],
  },
  {
    code: "account.nobody-owns-organization",
    find: `${NAMED} JOIN teams AS t ON t.organization_id = u.id AND t.level = 'owner'
      WHERE NOT EXISTS (SELECT 1 FROM team_members AS m WHERE m.team_id = t.id)`,
  },
  {
    code: "account.team-has-foreign-repository",
    find: `SELECT ${REPO} AS name FROM team_repositories AS tr JOIN teams AS t ON t.id = tr.team_id
      JOIN repositories AS r ON r.id = tr.repo_id JOIN users AS owner ON owner.id = r.owner_id
      WHERE r.owner_id <> t.organization_id`,
    repair: [
      `DELETE FROM team_repositories WHERE (SELECT owner_id FROM repositories WHERE id = team_repositories.repo_id)
         <> (SELECT organization_id FROM teams WHERE id = team_repositories.team_id)`,
    ],
  },
  {
    code: "account.owner-collaborates",
    find: `SELECT ${REPO} AS name FROM collaborators AS c JOIN repositories AS r ON r.id = c.repo_id
      JOIN users AS owner ON owner.id = r.owner_id WHERE c.user_id = r.owner_id`,
    repair: [
      "DELETE FROM collaborators WHERE user_id = (SELECT owner_id FROM repositories WHERE id = collaborators.repo_id)",
    ],
  },
  {
    code: "account.redirect-hides-name",
    find: `${NAMED} WHERE u.lower_login IN (SELECT lower_login FROM user_redirects)`,
    repair: ["DELETE FROM user_redirects WHERE lower_login IN (SELECT lower_login FROM users)"],
  },
];

/** The names of violations, up to the limit. */
export function failing(db: Database, { find }: AccountCheck, limit: number): string[] {
  return db
    .query<{ name: string }>(`${find} LIMIT ?`)
    .all(limit)
    .map(({ name }) => name);
}

/** Joins the running transaction. */
export function repair(db: Database, { repair = [] }: AccountCheck): void {
  for (const statement of repair) db.execute(statement);
}

export interface OrphanedRows {
  readonly table: string;
  readonly parent: string;
}

interface ForeignKey {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
  readonly on_delete: string;
}

/** Tables with rows whose parent is missing, which only another program or a damaged file can cause. */
export function orphanedRows(db: Database): OrphanedRows[] {
  const rows = db.query<{ table: string; parent: string }>("PRAGMA foreign_key_check").all();
  return [...new Map(rows.map(({ table, parent }) => [`${table} ${parent}`, { table, parent }])).values()];
}

/** Does with such rows what deleting their parents would have done. Joins the running transaction. */
export function removeOrphans(db: Database, { table, parent }: OrphanedRows): void {
  const keys = db.query<ForeignKey>(`PRAGMA foreign_key_list("${table}")`).all();
  for (const columns of Map.groupBy(keys, ({ id }) => id).values()) {
    const [first] = columns;
    if (first?.table !== parent) continue;
    const isThere = columns.map(({ from, to }) => `p."${to}" = "${table}"."${from}"`).join(" AND ");
    const isNamed = columns.map(({ from }) => `"${from}" IS NOT NULL`).join(" AND ");
    const where = `${isNamed} AND NOT EXISTS (SELECT 1 FROM "${parent}" AS p WHERE ${isThere})`;
    if (first.on_delete === "CASCADE") db.execute(`DELETE FROM "${table}" WHERE ${where}`);
    else if (first.on_delete === "SET NULL")
      db.execute(`UPDATE "${table}" SET ${columns.map(({ from }) => `"${from}" = NULL`).join(", ")} WHERE ${where}`);
  }
}
