import type { Database } from "../db/database.ts";
import type { Badge, NewBadge } from "./types.ts";

const columns = "badges.id, badges.slug, badges.description, badges.image_url AS imageUrl";

/** All of them, by slug. */
export function allBadges(db: Database): Badge[] {
  return db.query<Badge>(`SELECT ${columns} FROM badges ORDER BY slug`).all();
}

export function badgesOf(db: Database, userId: number): Badge[] {
  return db
    .query<Badge>(
      `SELECT ${columns} FROM user_badges JOIN badges ON badges.id = badge_id WHERE user_id = ? ORDER BY slug`,
    )
    .all(userId);
}

/** The holders of each badge, by name. */
export function holdersOfBadges(db: Database): { badgeId: number; login: string }[] {
  return db
    .query<{ badgeId: number; login: string }>(
      `SELECT badge_id AS badgeId, users.login FROM user_badges JOIN users ON users.id = user_id
       ORDER BY badge_id, users.lower_login`,
    )
    .all();
}

export function badgesBySlug(db: Database, slugs: readonly string[]): Badge[] {
  return db
    .query<Badge>(`SELECT ${columns} FROM badges WHERE slug IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(slugs));
}

/** @returns whether the slug was free */
export function insertBadge(db: Database, { slug, description, imageUrl }: NewBadge): boolean {
  const sql = "INSERT OR IGNORE INTO badges (slug, description, image_url) VALUES (?, ?, ?)";
  return db.query(sql).run(slug, description, imageUrl).changes > 0;
}

export function deleteBadge(db: Database, id: number): void {
  db.query("DELETE FROM badges WHERE id = ?").run(id);
}

export function giveBadges(db: Database, userId: number, badgeIds: readonly number[]): void {
  db.query("INSERT OR IGNORE INTO user_badges (user_id, badge_id) SELECT ?, value FROM json_each(?)").run(
    userId,
    JSON.stringify(badgeIds),
  );
}

export function takeBadges(db: Database, userId: number, badgeIds: readonly number[]): void {
  db.query("DELETE FROM user_badges WHERE user_id = ? AND badge_id IN (SELECT value FROM json_each(?))").run(
    userId,
    JSON.stringify(badgeIds),
  );
}
