import { Unauthorised } from "../kernel/errors.ts";
import type { Level, Unit } from "./levels.ts";
import type { TokenScope } from "./scopes.ts";
import type { User } from "./user.ts";

/**
 * How someone came in: `nothing` a visitor; `session`, `password`, `token`, `signature` an account; `deploy-key` and `job` a
 * credential of one repository without an account; `operator` whoever holds the data folder, at the terminal or as the
 * server itself.
 */
export type Credential = "nothing" | "session" | "password" | "token" | "signature" | "deploy-key" | "job" | "operator";

/** What a credential that belongs to a repository, not to an account, may do there. */
export interface RepoCredential {
  readonly repoId: number;
  /** The levels it holds; a unit that is not named is held at `none`. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>;
  /** Other repositories that let it in, and what it may do there. */
  readonly elsewhere?: Pick<RepoCredential, "units"> & { readonly repoIds: readonly number[] };
}

/** A token that an area besides identity issued: to a program that someone let in. */
export interface IssuedToken {
  /** The source that knows it. */
  readonly kind: string;
  /** Its number there. */
  readonly id: number;
}

/** Who is asking. Every service call takes one, so that a token's scope travels into every decision (security rule B1). */
export interface Principal {
  /** The account that acts; undefined for visitors and for credentials of a repository. */
  readonly user: User | undefined;
  readonly via: Credential;
  /** What the access token is restricted to; undefined: no restriction. */
  readonly scope: TokenScope | undefined;
  /** The access token used, where one was. */
  readonly tokenId: number | undefined;
  /** The token of another kind used, where one was; it is in no list of access tokens. */
  readonly issuedToken: IssuedToken | undefined;
  /** The credential came as HTTP Basic (some routes insist on it). */
  readonly basic: boolean;
  /** Hash of the session's secret, where a session was used. */
  readonly sessionId: string | undefined;
  /** Where the request came from; undefined for the operator and for what is no request. */
  readonly address?: string | undefined;
  /** Set for deploy keys and jobs. */
  readonly repoCredential: RepoCredential | undefined;
  /** The account's credential is good in one repository only, and for no more than that level. */
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

/** The operator at the terminal, and the server on its own account: everything is allowed. */
export const operator: Principal = { ...anonymous, via: "operator" };

/** An account with all its own rights and no restriction of a token: what it would be allowed if it asked itself. */
export function asAccount(user: User): Principal {
  return { ...anonymous, user, via: "session" };
}

/** A deploy key: code of one repository, read or write. */
export function deployKey(repoId: number, level: "read" | "write"): Principal {
  return { ...anonymous, via: "deploy-key", repoCredential: { repoId, units: { code: level } } };
}

/** The token of a running job: what the job was given on its repository. */
export function jobToken(credential: RepoCredential): Principal {
  return { ...anonymous, via: "job", repoCredential: credential };
}

/** Whether it may do what site administrators may: one whose token is not cut down to what everyone sees, or to one repository. */
export function isSiteAdmin({ onlyIn, scope, user, via }: Principal): boolean {
  return via === "operator" || (user?.isAdmin === true && !scope?.publicOnly && !onlyIn);
}

/** The account that acts, for work that bears its name. @throws Unauthorised a visitor, or a credential without an account */
export function accountOf(principal: Principal): User {
  if (!principal.user) throw new Unauthorised();
  return principal.user;
}
