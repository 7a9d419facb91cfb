import type { TObject, TSchema } from "@sinclair/typebox";
import type { Level, Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { ScopeCategory } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import type { Paging } from "../kernel/paging.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { BodyShare } from "./body-memory.ts";

/**
 * Every way into the server is one of these declarations. Access is declared, not remembered: a route without
 * `access` does not type-check, and the server does not start with a handler that stands in no declaration.
 */

/**
 * Where a request comes in, which decides what credentials count and how errors are worded:
 * `api` JSON, no cookies; `page` HTML, the session cookie only; `bytes` pages' files, cookie or Basic or token, plain text;
 * `git` Basic or token, plain text; `open` no credentials are looked at.
 */
export type Surface = "api" | "page" | "bytes" | "git" | "open";

export interface RepoAccess {
  /** The level needed on the unit, or on the repository as a whole when no unit is named. */
  readonly level: Exclude<Level, "none">;
  readonly unit?: Unit;
  /** `unlocked`: not archived. `editable`: neither archived nor a mirror. */
  readonly state?: "unlocked" | "editable";
}

export interface Access {
  /** Who may come in at all; `own-or-admin`: the account named in the path, or a site administrator. */
  readonly who: "anyone" | "user" | "admin" | "own-or-admin";
  /** The repository named by `:owner` and `:repo`, resolved and checked before the handler. */
  readonly repo?: RepoAccess;
  /** What a token must hold; the level follows from the method. Empty: any token will do. */
  readonly scopes: readonly ScopeCategory[];
  /** A `public-only` token: sees what everyone sees, or is refused. */
  readonly publicOnly: "filtered" | "refused";
  /** Only HTTP Basic will do (tokens are managed with a password or a token given as one). */
  readonly basicOnly?: boolean;
  /** Whether a site administrator may act as someone else here. On by default on the API, off elsewhere. */
  readonly sudo?: boolean;
  /** Lets in an account that must change its password, so that it can. */
  readonly unfinishedAccounts?: boolean;
  /** Stays open when the site shows nothing to visitors: signing in, assets. */
  readonly beforeSignIn?: boolean;
}

/** What a handler is given. */
export interface Call {
  readonly request: Request;
  /** Path and query as sent, without scheme and host. */
  readonly target: string;
  readonly path: string;
  /** The route's own path, with its `:parameters`. */
  readonly pattern: string;
  readonly query: URLSearchParams;
  /** Decoded path parameters; `*` is the decoded rest, with its slashes. */
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal;
  /** The signed-in account (after sudo). */
  readonly user: User | undefined;
  /** Present when the route declares `repo`. */
  readonly seen: SeenRepo | undefined;
  readonly requestId: string;
  readonly address: string;
  /** What its body takes of the memory for all bodies. */
  readonly bodyShare: BodyShare;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  readonly paging: Paging;
  /** Lets this request be silent for as long as it needs. */
  keepOpen(): void;
  /** Adds a header to whatever is answered, errors included. */
  header(name: string, value: string): void;
}

export interface AnswerDoc {
  readonly description: string;
  readonly schema?: TSchema;
  /** What the answer is, when it is not JSON: `text/html`. */
  readonly mediaType?: string;
}

export interface ParameterDoc {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
}

/** What the API document says of a route. */
export interface RouteDoc {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Descriptions of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: readonly ParameterDoc[];
  readonly body?: TObject;
  /** What the body is, when it is plain text instead of JSON. */
  readonly textBody?: string;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

export interface Route {
  readonly method: Method;
  /** Elysia's form: `/repos/:owner/:repo/contents/*`. */
  readonly path: string;
  readonly surface: Surface;
  readonly access: Access;
  /** Only routes of the API have one. */
  readonly doc?: RouteDoc;
  handle(call: Call): Response | Promise<Response>;
}

/** The user of a route that lets no one else in; the guard has seen to it. */
export function signedIn(call: Call): User {
  if (!call.user) throw new Error(`${call.path} was reached without a user`);
  return call.user;
}

/** The repository of a route that declares one. */
export function seenRepo(call: Call): SeenRepo {
  if (!call.seen) throw new Error(`${call.path} was reached without a repository`);
  return call.seen;
}

export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`${call.path} has no parameter ${name}`);
  return value;
}
