import { atLeast, higher, type Level, lower, type Unit, type Visibility } from "./levels.ts";
import type { Principal } from "./principal.ts";

/**
 * Who may do what on a repository, and who sees an account; every access decision is made here (contract
 * repositories.md section 4, identity.md 8.6). Pure: the caller supplies the facts, so that the whole table can be
 * tested without a server. `conditions.ts` has the same rules as SQL, for lists; tests/access compares the two.
 */

export interface RepoFacts {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerVisibility: Visibility;
  readonly isPrivate: boolean;
  /** Deleted but still restorable: nobody sees it. */
  readonly isBinned: boolean;
  /** The enabled units. */
  readonly units: ReadonlySet<Unit>;
  /** Units that can be read without a grant even where the repository itself cannot. */
  readonly opened?: OpenedUnits | undefined;
  /** A unit that every account with read access may also write. */
  readonly sharedUnit?: Unit | undefined;
}

/** Who may read a unit that a private repository has opened: anyone, or any account. */
export type Audience = "anyone" | "accounts";
export type OpenedUnits = Readonly<Partial<Record<Unit, Audience>>>;

/** A right granted on a repository: on the whole of it, or on one unit. */
export interface Grant {
  /** Undefined: every unit, and the repository itself. */
  readonly unit: Unit | undefined;
  readonly level: Level;
}

export interface Decision {
  /** The level on the repository as a whole. Anyone who can read one of its units sees the repository. */
  readonly level: Level;
  on(unit: Unit): Level;
}

/**
 * @param grants the grants of this principal's account on the repository, from every source
 * @param requireSignIn whether the site hides everything from visitors
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
 * Whether repository administrators still reach a switched-off unit over REST (contract repositories.md 4.3 and 17); of
 * Actions that covers past runs, not its settings. All other units then look missing to administrators, too (issues.md
 * 0.3, pulls.md 24, repositories.md 16).
 */
export function outlivesItsSwitch(unit: Unit): boolean {
  return unit === "code" || unit === "releases" || unit === "actions";
}

/**
 * The decision for pages, where a switched-off unit is hidden from everyone (contract web.md 0.3).
 * @param units the enabled ones
 */
export function onPages({ level, on }: Decision, units: ReadonlySet<Unit>): Decision {
  return { level, on: (unit) => (units.has(unit) ? on(unit) : "none") };
}

const denied: Decision = { level: "none", on: () => "none" };

function isOpenToAll(repo: RepoFacts): boolean {
  return !repo.isPrivate && repo.ownerVisibility === "public";
}

/** Whether the repository can be read without any grant. */
function isOpenTo(principal: Principal, repo: RepoFacts, requireSignIn: boolean): boolean {
  return !repo.isPrivate && seesOwner(principal, repo, requireSignIn);
}

/** Whether the owner is visible to principals who do not belong to it. */
function seesOwner({ user }: Principal, { ownerVisibility }: RepoFacts, requireSignIn: boolean): boolean {
  if (!user || user.isRestricted) return ownerVisibility === "public" && !requireSignIn;
  return ownerVisibility !== "private";
}

/** Grants for the units that a repository opens though it is itself closed; a switched-off unit reveals nothing. */
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
 * Whether the principal can see an account.
 * @param isMember whether the principal's account belongs to it (an organization)
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
