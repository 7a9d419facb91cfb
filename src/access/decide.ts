import { atLeast, higher, type Level, lower, type Unit, type Visibility } from "./levels.ts";
import type { Principal } from "./principal.ts";

/**
 * Who may do what on a repository, and who sees an account: the only judge (contract repositories.md section 4,
 * identity.md 8.6). Pure: the caller brings the facts, so that the whole table is tested without a server.
 * `conditions.ts` has the same rules for lists, as SQL; tests/access compares the two.
 */

export interface RepoFacts {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerVisibility: Visibility;
  readonly isPrivate: boolean;
  /** It was deleted and can still be restored: no one sees it. */
  readonly isBinned: boolean;
  /** The units switched on. */
  readonly units: ReadonlySet<Unit>;
  /** Units that may be read without having been given anything, where the repository may not. */
  readonly opened?: OpenedUnits | undefined;
  /** A unit that every account which may read it may write. */
  readonly sharedUnit?: Unit | undefined;
}

/** Who may read a unit of a private repository: whoever comes, or whoever has an account. */
export type Audience = "anyone" | "accounts";
export type OpenedUnits = Readonly<Partial<Record<Unit, Audience>>>;

/** A right that someone was given on a repository: on the whole of it, or on one unit. */
export interface Grant {
  /** undefined: every unit, and the repository itself. */
  readonly unit: Unit | undefined;
  readonly level: Level;
}

export interface Decision {
  /** The level on the repository as a whole. Whoever reads one of its units sees the repository. */
  readonly level: Level;
  on(unit: Unit): Level;
}

/**
 * @param grants what this principal's account was given on the repository, from every source
 * @param requireSignIn the site shows nothing to visitors
 */
export function decide(
  principal: Principal,
  repo: RepoFacts,
  grants: readonly Grant[],
  requireSignIn: boolean,
): Decision {
  if (repo.isBinned) return denied;
  const { onlyIn } = principal;
  if (onlyIn && onlyIn.repoId !== repo.id) return denied;
  const isOpen = isOpenTo(principal, repo, requireSignIn);
  if (principal.scope?.publicOnly && !isOpenToAll(repo)) return denied;
  const { user, repoCredential } = principal;
  const owns = principal.via === "operator" || (user !== undefined && (user.isAdmin || user.id === repo.ownerId));
  const open: Level = isOpen ? "read" : "none";
  const whole = owns ? "owner" : highestOf(open, user ? grants.filter(({ unit }) => unit === undefined) : []);
  const byUnit = [
    ...(user ? grants : []),
    ...credentialGrants(repoCredential, repo.id),
    ...openedTo(principal, repo, requireSignIn),
  ];
  const on = (unit: Unit): Level => {
    if (!repo.units.has(unit) && !(outlivesItsSwitch(unit) && atLeast(whole, "admin"))) return "none";
    const given = byUnit.filter((grant) => grant.unit === unit);
    const level = highestOf(whole, given);
    return unit === repo.sharedUnit && user && level === "read" ? "write" : level;
  };
  const level = whole === "none" && byUnit.some((grant) => grant.level !== "none") ? "read" : whole;
  return onlyIn ? atMost({ level, on }, onlyIn.level) : { level, on };
}

const atMost = ({ level, on }: Decision, max: Level): Decision => ({
  level: lower(level, max),
  on: (unit) => lower(on(unit), max),
});

/**
 * Whether the administrators of a repository reach the unit over REST though it is switched off (contract repositories.md
 * 4.3 and 17): of Actions what was run, though not its settings. Any other is then missing for them, too (issues.md 0.3,
 * pulls.md 24, repositories.md 16).
 */
export function outlivesItsSwitch(unit: Unit): boolean {
  return unit === "code" || unit === "releases" || unit === "actions";
}

/**
 * The decision on pages, where every unit that is switched off is gone for everybody (contract web.md 0.3).
 * @param units those that are switched on
 */
export function onPages({ level, on }: Decision, units: ReadonlySet<Unit>): Decision {
  return { level, on: (unit) => (units.has(unit) ? on(unit) : "none") };
}

const denied: Decision = { level: "none", on: () => "none" };

function isOpenToAll(repo: RepoFacts): boolean {
  return !repo.isPrivate && repo.ownerVisibility === "public";
}

/** Whether the repository may be read without having been given anything on it. */
function isOpenTo(principal: Principal, repo: RepoFacts, requireSignIn: boolean): boolean {
  return !repo.isPrivate && seesOwner(principal, repo, requireSignIn);
}

/** Whether the owner is shown to whoever does not belong to it. */
function seesOwner({ user }: Principal, { ownerVisibility }: RepoFacts, requireSignIn: boolean): boolean {
  if (!user || user.isRestricted) return ownerVisibility === "public" && !requireSignIn;
  return ownerVisibility !== "private";
}

/** Units that are open where the repository is not; one that is switched off shows nothing of it. */
function openedTo(principal: Principal, repo: RepoFacts, requireSignIn: boolean): Grant[] {
  const { user } = principal;
  if (!repo.opened || !seesOwner(principal, repo, requireSignIn)) return [];
  const isTrusted = user !== undefined && !user.isRestricted;
  return Object.entries(repo.opened).flatMap(([name, audience]): Grant[] => {
    const unit = name as Unit;
    return repo.units.has(unit) && (audience === "anyone" || isTrusted) ? [{ unit, level: "read" }] : [];
  });
}

function highestOf(level: Level, grants: readonly Grant[]): Level {
  return grants.reduce((highest, grant) => higher(highest, grant.level), level);
}

function credentialGrants(credential: Principal["repoCredential"], repoId: number): Grant[] {
  if (!credential) return [];
  const { elsewhere, units } = credential;
  const given = credential.repoId === repoId ? units : elsewhere?.repoIds.includes(repoId) ? elsewhere.units : {};
  return Object.entries(given).map(([unit, level]) => ({ unit: unit as Unit, level }));
}

export interface AccountFacts {
  readonly id: number;
  readonly visibility: Visibility;
}

/**
 * Whether an account is shown to the principal.
 * @param isMember the principal's account belongs to it (to an organization)
 */
export function seesAccount(
  principal: Principal,
  account: AccountFacts,
  isMember: boolean,
  requireSignIn: boolean,
): boolean {
  if (principal.via === "operator") return true;
  if (principal.scope?.publicOnly && account.visibility !== "public") return false;
  const { user } = principal;
  if (!user) return account.visibility === "public" && !requireSignIn;
  if (user.isAdmin || user.id === account.id || isMember) return true;
  return account.visibility === "public" || (account.visibility === "limited" && !user.isRestricted);
}
