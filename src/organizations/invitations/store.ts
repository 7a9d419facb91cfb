import type { Database } from "../../db/database.ts";

/** An address invited to a team. */
export interface Invitation {
  readonly id: number;
  readonly teamId: number;
  readonly email: string;
  readonly inviterId: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const columns = `id, team_id AS teamId, email, inviter_id AS inviterId, created_at AS createdAt, expires_at AS expiresAt`;

export function findInvitation(db: Database, id: number): Invitation | undefined {
  return db.query<Invitation>(`SELECT ${columns} FROM team_invitations WHERE id = ?`).get(id) ?? undefined;
}

/** Open invitations, oldest first. */
export function invitationsOf(db: Database, teamId: number, now: number): Invitation[] {
  return db
    .query<Invitation>(`SELECT ${columns} FROM team_invitations WHERE team_id = ? AND expires_at > ? ORDER BY id`)
    .all(teamId, now);
}

export function countInvitations(db: Database, teamId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM team_invitations WHERE team_id = ?").get(teamId)?.n ?? 0;
}

/** @returns the id of the invitation; undefined if the address is already invited */
export function insertInvitation(db: Database, invitation: Omit<Invitation, "id">): number | undefined {
  const { teamId, email, inviterId, createdAt, expiresAt } = invitation;
  return db
    .query<{ id: number }>(
      `INSERT INTO team_invitations (team_id, email, lower_email, inviter_id, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, lower_email) DO NOTHING RETURNING id`,
    )
    .get(teamId, email, email.toLowerCase(), inviterId, createdAt, expiresAt)?.id;
}

export function deleteInvitation(db: Database, teamId: number, id: number): boolean {
  return db.query("DELETE FROM team_invitations WHERE id = ? AND team_id = ?").run(id, teamId).changes > 0;
}

/** Deletes expired invitations. */
export function deleteOverInvitations(db: Database, now: number): void {
  db.query("DELETE FROM team_invitations WHERE expires_at <= ?").run(now);
}
