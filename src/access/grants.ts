import type { Database } from "../db/database.ts";
import type { Grant } from "./decide.ts";
import type { Level, Unit } from "./levels.ts";

/**
 * Where rights on repositories come from: each area that grants some (collaborators, teams, organizations) contributes
 * one of these, in SQL, so that a single repository and a list of a hundred thousand are decided from the same rows.
 */
export interface GrantSource {
  /** Tables with their joins, under names that no other source uses: `collaborators`. */
  readonly from: string;
  /** Joins them to `repositories.id` (or `repositories.owner_id`) and to `$me`, the account. Needs an index. */
  readonly where: string;
  /** SQL for the unit granted; `NULL` for the repository as a whole. */
  readonly unit: string;
  /** SQL for the level granted: `'read'`, `'write'`, `'admin'` or `'owner'`. */
  readonly level: string;
}

/** Membership of an account: members of an organization see it, however private it is. */
export interface MembershipSource {
  readonly from: string;
  /** @param account SQL for the id of the account that may have members; the member is `$me` */
  where(account: string): string;
}

/**
 * A condition that holds if one of the sources grants at least `level`: on `unit` only, or on the whole repository if
 * undefined.
 */
export function grantedSql(sources: readonly GrantSource[], unit: Unit | undefined, level: Level): string {
  if (sources.length === 0) return "0";
  const ranks = levelsFrom(level);
  return `($me > 0 AND (${sources
    .map(
      (source) =>
        `EXISTS (SELECT 1 FROM ${source.from} WHERE ${source.where} AND (${source.unit}) IS ${unit ? `'${unit}'` : "NULL"} AND (${source.level}) IN (${ranks}))`,
    )
    .join(" OR ")}))`;
}

/** A condition that holds if one of the sources grants anything at all. */
export function grantedAnythingSql(sources: readonly GrantSource[]): string {
  if (sources.length === 0) return "0";
  return `($me > 0 AND (${sources
    .map(
      (source) =>
        `EXISTS (SELECT 1 FROM ${source.from} WHERE ${source.where} AND (${source.level}) IN (${levelsFrom("read")}))`,
    )
    .join(" OR ")}))`;
}

/** The levels that satisfy a demand for `level`, as an SQL list. */
export function levelsFrom(level: Level): string {
  const all = ["'read'", "'write'", "'admin'", "'owner'"];
  return all.slice(all.indexOf(`'${level}'`)).join(", ");
}

interface GrantRow {
  repoId: number;
  unit: Unit | null;
  level: Level;
}

/** The account's grants on each of these repositories, in one query; repositories without any are left out. */
export function grantsOn(
  db: Database,
  sources: readonly GrantSource[],
  userId: number,
  repoIds: readonly number[],
): Map<number, Grant[]> {
  const found = new Map<number, Grant[]>();
  if (sources.length === 0 || repoIds.length === 0) return found;
  const sql = sources
    .map(
      (source) =>
        `SELECT repositories.id AS repoId, (${source.unit}) AS unit, (${source.level}) AS level
         FROM json_each($repos) AS asked JOIN repositories ON repositories.id = asked.value JOIN ${source.from}
         WHERE ${source.where}`,
    )
    .join(" UNION ALL ");
  for (const { repoId, unit, level } of db.query<GrantRow>(sql).all({ me: userId, repos: JSON.stringify(repoIds) })) {
    const grant: Grant = { unit: unit ?? undefined, level };
    const known = found.get(repoId);
    if (known) known.push(grant);
    else found.set(repoId, [grant]);
  }
  return found;
}
