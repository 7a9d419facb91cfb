import { Unauthorised } from "../kernel/errors.ts";
import type { Level, Unit } from "./levels.ts";
import type { TokenScope } from "./scopes.ts";
import type { User } from "./user.ts";

/**
 * How the caller authenticated: `nothing` for a visitor; `session`, `password`, `token`, `signature` for an account;
 * `deploy-key` and `job` for a credential of a single repository without an account; `operator` for whoever controls
 * the data folder, on the command line or as the server itself.
 */
export type Credential = "nothing" | "session" | "password" | "token" | "signature" | "deploy-key" | "job" | "operator";

/** The rights of a credential that belongs to a repository, not to an account. */
export interface RepoCredential {
  readonly repoId: number;
  /** The levels it holds; units not listed are at `none`. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>;
  /** Other repositories that admit it, and what it may do there. */
  readonly elsewhere?: Pick<RepoCredential, "units"> & { readonly repoIds: readonly number[] };
}

/** A token issued by an area other than identity, to a program that a user authorised. */
export interface IssuedToken {
  /** The source that issued it. */
  readonly kind: string;
  /** Its id in that source. */
  readonly id: number;
}

/** The caller. Every service call takes one, so that a token's scope is part of every decision (security rule B1). */
export interface Principal {
  /** The acting account; undefined for visitors and for credentials of a repository. */
  readonly user: User | undefined;
  readonly via: Credential;
  /** The access token's restrictions; undefined: unrestricted. */
  readonly scope: TokenScope | undefined;
  /** The access token used, if any. */
  readonly tokenId: number | undefined;
  /** The token of another kind used, if any; it appears in no list of access tokens. */
  readonly issuedToken: IssuedToken | undefined;
  /** The credential was sent as HTTP Basic (some routes insist on it). */
  readonly basic: boolean;
  /** Hash of the session's secret, if a session was used. */
  readonly sessionId: string | undefined;
  /** The request's address; undefined for the operator and for work that is not a request. */
  readonly address?: string | undefined;
  /** Set for deploy keys and jobs. */
  readonly repoCredential: RepoCredential | undefined;
  /** Set when the account's credential is valid in one repository only, up to that level. */
  readonly onlyIn?: { readonly repoId: number; readonly level: Level };
}

export const anonymous: Principal = {
  user: undefined,
  via: "nothing",
  scope: undefined,
  tokenId: undefined,
  issuedToken: undefined,
  basic: false,
  sessionId: undefined,
  repoCredential: undefined,
};

/** The operator on the command line, and the server acting for itself: everything is allowed. */
export const operator: Principal = { ...anonymous, via: "operator" };

/** An account with all its rights and no token restriction, as if the user had asked in person. */
export function asAccount(user: User): Principal {
  return { ...anonymous, user, via: "session" };
}

/** A deploy key: read or write access to the code of one repository. */
export function deployKey(repoId: number, level: "read" | "write"): Principal {
  return { ...anonymous, via: "deploy-key", repoCredential: { repoId, units: { code: level } } };
}

/** The token of a running job, with the rights the job was given on its repository. */
export function jobToken(credential: RepoCredential): Principal {
  return { ...anonymous, via: "job", repoCredential: credential };
}

/**
 * Whether the principal has site administrator rights: its token must not be public-only or limited to one repository.
 */
export function isSiteAdmin({ onlyIn, scope, user, via }: Principal): boolean {
  return via === "operator" || (user?.isAdmin === true && !scope?.publicOnly && !onlyIn);
}

/**
 * The acting account, for work recorded in its name. @throws Unauthorised for a visitor or a credential without an
 * account
 */
export function accountOf(principal: Principal): User {
  if (!principal.user) throw new Unauthorised();
  return principal.user;
}
