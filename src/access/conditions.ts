import { outlivesItsSwitch } from "./decide.ts";
import type { GrantSource, MembershipSource } from "./grants.ts";
import { grantedAnythingSql, grantedSql, levelsFrom } from "./grants.ts";
import { type Level, type Unit, units } from "./levels.ts";
import { anonymous, isSiteAdmin, type Principal } from "./principal.ts";

/**
 * The rules of `decide.ts` as SQL conditions, for lists, searches, counts, feeds and completions. They expect a query
 * over `repositories` with its owner joined as `owners` (a row of `users`), and take their parameters from
 * `accessParams`. The text depends on unit and level alone, so that each statement is prepared only once.
 */

export interface RepoConditionOptions {
  /** The unit in question; undefined for the repository as a whole. */
  readonly unit?: Unit;
  /** Defaults to `read`. */
  readonly level?: Exclude<Level, "none">;
  /** Selects deleted repositories that can still be restored, which are otherwise invisible. */
  readonly isBinned?: boolean;
}

export function repoCondition(
  sources: readonly GrantSource[],
  { unit, level = "read", isBinned }: RepoConditionOptions,
): string {
  const allowed = unit ? unitAllowed(sources, unit, level) : wholeAllowed(sources, level);
  const isThere = `repositories.binned_at IS ${isBinned ? "NOT NULL" : "NULL"}`;
  return `(${isThere} AND (NOT $publicOnly OR (repositories.is_private = 0 AND owners.visibility = 'public')) AND ${allowed})`;
}

/**
 * For lists that mix entries of several units: applies the condition of the unit named in `unitColumn`, where the empty
 * string means the repository as a whole.
 */
export function repoConditionByUnit(sources: readonly GrantSource[], unitColumn: string): string {
  const branches = units.map((unit) => `WHEN '${unit}' THEN ${repoCondition(sources, { unit })}`);
  return `(CASE ${unitColumn} WHEN '' THEN ${repoCondition(sources, {})} ${branches.join(" ")} ELSE 0 END)`;
}

const owns = "($ownsAll OR ($me > 0 AND repositories.owner_id = $me))";

const open = `(repositories.is_private = 0 AND
  (($seesPublic AND owners.visibility = 'public') OR ($seesLimited AND owners.visibility = 'limited')))`;

/** @param audience SQL for the audience the unit is open to; `NULL`: nobody */
const openedTo = (audience: string) => `(${audience} = 'anyone' AND $seesPublic AND owners.visibility = 'public'
  OR ${audience} IN ('anyone', 'accounts') AND $seesLimited AND owners.visibility IN ('public', 'limited'))`;

const isOpenedAnywhere = `($readsOpened AND repositories.settings <> '{}' AND EXISTS
  (SELECT 1 FROM json_each(repositories.settings, '$.opened') AS opened WHERE ${openedTo("opened.value")}
    AND NOT EXISTS (SELECT 1 FROM json_each(repositories.settings, '$.off') AS off WHERE off.value = opened.key)))`;

const isOpened = (unit: Unit) =>
  `($readsOpened AND repositories.settings <> '{}' AND ${openedTo(`repositories.settings ->> '$.opened.${unit}'`)})`;

const isElsewhere = "repositories.id IN (SELECT value FROM json_each($elsewhereRepos))";
const hasCredential = `((repositories.id = $credentialRepo AND $credentialUnits <> '{}')
  OR ($elsewhereUnits <> '{}' AND ${isElsewhere}))`;

function wholeHeld(sources: readonly GrantSource[], level: Level): string {
  const held = [...(level === "read" ? [open] : []), owns, grantedSql(sources, undefined, level)];
  return `(${held.join(" OR ")})`;
}

function wholeAllowed(sources: readonly GrantSource[], level: Level): string {
  if (level !== "read") return wholeHeld(sources, level);
  // A grant on a single unit makes the repository visible.
  return `(${open} OR ${owns} OR ${grantedAnythingSql(sources)} OR ${hasCredential} OR ${isOpenedAnywhere})`;
}

function unitAllowed(sources: readonly GrantSource[], unit: Unit, level: Level): string {
  const isOn = `(repositories.settings = '{}' OR NOT EXISTS
    (SELECT 1 FROM json_each(repositories.settings, '$.off') AS off WHERE off.value = '${unit}'))`;
  const levels = levelsFrom(level);
  const credential = `((repositories.id = $credentialRepo AND $credentialUnits ->> '${unit}' IN (${levels}))
    OR ($elsewhereUnits ->> '${unit}' IN (${levels}) AND ${isElsewhere}))`;
  const opened = level === "read" ? ` OR ${isOpened(unit)}` : "";
  const held = `(${wholeHeld(sources, level)} OR ${grantedSql(sources, unit, level)} OR ${credential}${opened})`;
  const reachable = outlivesItsSwitch(unit) ? `(${isOn} OR ${wholeHeld(sources, "admin")})` : isOn;
  return `(${held} AND ${reachable})`;
}

/** @param account alias of the `users` row in question */
export function accountCondition(members: readonly MembershipSource[], account: string): string {
  const belongs = members
    .map((source) => ` OR EXISTS (SELECT 1 FROM ${source.from} WHERE ${source.where(`${account}.id`)})`)
    .join("");
  return `((NOT $publicOnly OR ${account}.visibility = 'public') AND ($ownsAll
    OR ($seesPublic AND ${account}.visibility = 'public')
    OR ($me > 0 AND (${account}.id = $me OR ${account}.visibility = 'public'${belongs}))
    OR ($seesLimited AND ${account}.visibility = 'limited')))`;
}

/** The site settings that affect access. */
export interface SiteAccess {
  /** Anonymous visitors see nothing. */
  readonly requireSignIn: boolean;
  /** Every repository is private, including each of its units. */
  readonly forcePrivate: boolean;
}

/** The parameters of the conditions above. */
export interface AccessParams extends Record<string, number | string> {
  readonly me: number;
  readonly ownsAll: number;
  readonly publicOnly: number;
  readonly seesPublic: number;
  readonly seesLimited: number;
  readonly readsOpened: number;
  readonly credentialRepo: number;
  readonly credentialUnits: string;
  readonly elsewhereRepos: string;
  readonly elsewhereUnits: string;
}

export function accessParams(asking: Principal, { forcePrivate, requireSignIn }: SiteAccess): AccessParams {
  // A credential that is valid in a single repository lists no others.
  const principal = asking.onlyIn ? anonymous : asking;
  const { user, scope, repoCredential } = principal;
  const isTrusted = user !== undefined && !user.isRestricted;
  return {
    me: user?.id ?? 0,
    ownsAll: isSiteAdmin(principal) || user?.isAdmin ? 1 : 0,
    publicOnly: scope?.publicOnly ? 1 : 0,
    seesPublic: isTrusted || !requireSignIn ? 1 : 0,
    seesLimited: isTrusted ? 1 : 0,
    readsOpened: forcePrivate ? 0 : 1,
    credentialRepo: repoCredential?.repoId ?? 0,
    credentialUnits: JSON.stringify(repoCredential?.units ?? {}),
    elsewhereRepos: JSON.stringify(repoCredential?.elsewhere?.repoIds ?? []),
    elsewhereUnits: JSON.stringify(repoCredential?.elsewhere?.units ?? {}),
  };
}
