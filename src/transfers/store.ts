import type { GrantSource } from "../access/grants.ts";
import type { Database } from "../db/database.ts";

export interface TransferRow {
  readonly repoId: number;
  readonly doerId: number;
  readonly recipientId: number;
  readonly teamIds: readonly number[];
  readonly createdAt: number;
}

type Stored = Omit<TransferRow, "teamIds"> & { readonly teamIds: string };

const columns = `repository_transfers.repo_id AS repoId, repository_transfers.doer_id AS doerId,
  repository_transfers.recipient_id AS recipientId, repository_transfers.team_ids AS teamIds,
  repository_transfers.created_at AS createdAt`;

const toRow = (row: Stored): TransferRow => ({ ...row, teamIds: JSON.parse(row.teamIds) as number[] });

/** SQL for the number of pending transfers: 1 or 0. */
export const pendingCount = (repo: string) => `SELECT count(*) FROM repository_transfers WHERE repo_id = ${repo}`;

/** Accounts that may create repositories in the recipient organization can see repositories offered to it. */
export const offeredRepos: GrantSource = {
  from: `repository_transfers JOIN team_members AS offered_members
    ON offered_members.organization_id = repository_transfers.recipient_id
    JOIN teams AS offered_teams ON offered_teams.id = offered_members.team_id`,
  where: `repository_transfers.repo_id = repositories.id AND offered_members.user_id = $me
    AND (offered_teams.can_create_repos = 1 OR offered_teams.level = 'owner')`,
  unit: "NULL",
  level: "'read'",
};

export function findTransfers(db: Database, repoIds: readonly number[]): TransferRow[] {
  return db
    .query<Stored>(`SELECT ${columns} FROM repository_transfers WHERE repo_id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(repoIds))
    .map(toRow);
}

/** Transfers awaiting an account's answer, or that of organizations where it may create repositories, oldest first. */
export function transfersFor(db: Database, userId: number, limit: number): TransferRow[] {
  return db
    .query<Stored>(
      `SELECT ${columns} FROM repository_transfers WHERE recipient_id = $user
         OR recipient_id IN (SELECT team_members.organization_id FROM team_members
           JOIN teams ON teams.id = team_members.team_id
           WHERE team_members.user_id = $user AND (teams.can_create_repos = 1 OR teams.level = 'owner'))
       ORDER BY created_at, repo_id LIMIT $limit`,
    )
    .all({ user: userId, limit })
    .map(toRow);
}

/** @returns false if one is already pending */
export function insertTransfer(db: Database, transfer: TransferRow): boolean {
  return (
    db
      .query(
        `INSERT OR IGNORE INTO repository_transfers (repo_id, doer_id, recipient_id, team_ids, created_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(transfer.repoId, transfer.doerId, transfer.recipientId, JSON.stringify(transfer.teamIds), transfer.createdAt)
      .changes > 0
  );
}

export function deleteTransfer(db: Database, repoId: number): void {
  db.query("DELETE FROM repository_transfers WHERE repo_id = ?").run(repoId);
}

/** Deletes pending transfers between two accounts, one of which blocks the other. */
export function deleteTransfersBetween(db: Database, one: number, other: number): void {
  db.query(
    `DELETE FROM repository_transfers WHERE (recipient_id = $one AND doer_id = $other)
       OR (recipient_id = $other AND doer_id = $one)
       OR (recipient_id = $other AND repo_id IN (SELECT id FROM repositories WHERE owner_id = $one))
       OR (recipient_id = $one AND repo_id IN (SELECT id FROM repositories WHERE owner_id = $other))`,
  ).run({ one, other });
}
