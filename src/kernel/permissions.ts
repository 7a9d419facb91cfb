/**
 * Who may do what on a repository: the one place that decides (contract repositories.md section 4).
 * Pure: the caller brings the facts, so that the whole table can be tested without a server.
 * Organizations and teams will enter through `grantedLevel`: the highest level any grant gives.
 */

export const levels = ["none", "read", "write", "admin", "owner"] as const;
export type Level = (typeof levels)[number];

export function atLeast(level: Level, needed: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(needed);
}

export function higher(a: Level, b: Level): Level {
  return atLeast(a, b) ? a : b;
}

export type Visibility = "public" | "limited" | "private";

export const units = ["code", "issues", "pulls", "releases", "wiki", "projects", "packages", "actions"] as const;
export type Unit = (typeof units)[number];

/** The account facts that decide access. */
export interface PrincipalUser {
  readonly id: number;
  readonly login: string;
  readonly isAdmin: boolean;
  readonly isRestricted: boolean;
}

export const scopeCategories = [
  "activitypub",
  "admin",
  "misc",
  "notification",
  "organization",
  "package",
  "issue",
  "repository",
  "user",
  "project",
] as const;
export type ScopeCategory = (typeof scopeCategories)[number];

/** What a token may do: a level for each category, and whether it sees only what everyone sees. */
export interface TokenScope {
  readonly categories: Readonly<Partial<Record<ScopeCategory, "read" | "write">>>;
  readonly publicOnly: boolean;
}

/** Who is asking. A token's scope travels with the principal into every decision (security rule B1). */
export interface Principal {
  readonly user: PrincipalUser | undefined;
  readonly via: "nothing" | "session" | "password" | "token";
  readonly scope: TokenScope | undefined;
  /** The access token used, where one was. */
  readonly tokenId: number | undefined;
  /** The credential came as HTTP Basic (some routes insist on it). */
  readonly basic: boolean;
  /** Hash of the session's secret, where a session was used. */
  readonly sessionId: string | undefined;
}

export const anonymous: Principal = {
  user: undefined,
  via: "nothing",
  scope: undefined,
  tokenId: undefined,
  basic: false,
  sessionId: undefined,
};

/** The system itself, and the operator at the terminal. */
export function operator(user: PrincipalUser): Principal {
  return { ...anonymous, user, via: "session" };
}

export interface RepoFacts {
  readonly ownerId: number;
  readonly ownerVisibility: Visibility;
  readonly isPrivate: boolean;
  /** The units switched on. */
  readonly units: ReadonlySet<Unit>;
}

export interface Decision {
  /** The level on the repository as a whole. */
  readonly level: Level;
  on(unit: Unit): Level;
}

/**
 * @param grantedLevel what collaboration (and later teams) gives this principal
 * @param requireSignIn the site shows nothing to anonymous visitors
 */
export function decide(principal: Principal, repo: RepoFacts, grantedLevel: Level, requireSignIn = false): Decision {
  const level = levelOf(principal, repo, grantedLevel, requireSignIn);
  return {
    level,
    // Administrators still reach a unit that is switched off: they are the ones who can switch it on again.
    on: (unit) => (repo.units.has(unit) || atLeast(level, "admin") ? level : "none"),
  };
}

function levelOf(principal: Principal, repo: RepoFacts, grantedLevel: Level, requireSignIn: boolean): Level {
  const openToAll = !repo.isPrivate && repo.ownerVisibility === "public";
  if (principal.scope?.publicOnly && !openToAll) return "none";
  const user = principal.user;
  if (!user) return openToAll && !requireSignIn ? "read" : "none";
  if (user.isAdmin || user.id === repo.ownerId) return "owner";
  if (repo.isPrivate) return grantedLevel;
  const openToUser = user.isRestricted ? openToAll && !requireSignIn : repo.ownerVisibility !== "private";
  return openToUser ? higher(grantedLevel, "read") : grantedLevel;
}

/** Whether an account of that visibility is shown to the principal (contract identity.md 8.6). */
export function seesAccount(
  principal: Principal,
  account: { id: number; visibility: Visibility },
  requireSignIn = false,
): boolean {
  if (principal.scope?.publicOnly && account.visibility !== "public") return false;
  if (!principal.user) return account.visibility === "public" && !requireSignIn;
  if (principal.user.isAdmin || principal.user.id === account.id) return true;
  return account.visibility === "public" || (account.visibility === "limited" && !principal.user.isRestricted);
}

/** Whether the principal's token, if any, holds `category` at that level; callers without a token are unrestricted. */
export function hasScope(principal: Principal, category: ScopeCategory, level: "read" | "write"): boolean {
  if (!principal.scope) return true;
  const held = principal.scope.categories[category];
  return held === "write" || (held === "read" && level === "read");
}
