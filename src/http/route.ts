import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import type { ScopeCategory } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import { type Failure, NotFound } from "../kernel/errors.ts";
import type { PageSizes } from "../kernel/paging.ts";
import { readChecked, SMALL_BODY_BYTES } from "./body.ts";
import type { BodyShare } from "./body-memory.ts";
import type { Effect } from "./effect.ts";
import type { FoundSubjects, SubjectAccess } from "./subject.ts";

/**
 * Every way into the server is one of these declarations. Access is declared, not remembered: a route without
 * `access` does not type-check, and the server does not start with a handler that stands in no declaration.
 */

/**
 * Where a request comes in, which decides what credentials count and how errors are worded:
 * `api` JSON, no cookies; `page` HTML, the session cookie only; `bytes` pages' files, cookie or Basic or token, plain text;
 * `git` Basic or token, plain text; `lfs` all of these and tokens of git-lfs, in JSON; `registry` Basic, token or what else
 * clients of package registries send, in the words of their protocol; `open` no credentials are examined.
 */
export type Surface = "api" | "page" | "bytes" | "git" | "lfs" | "registry" | "open";

export interface Access {
  /** Who may come in at all. */
  readonly who: "anyone" | "user" | "admin";
  /** What the path names, found and checked before the handler. */
  readonly subject?: SubjectAccess;
  /** A visitor is sent to sign in before anything is looked up: the path begins with the own account. */
  readonly signedInFirst?: boolean;
  /** What a token must hold; the level follows from the method. Empty: any token will do. */
  readonly scopes: readonly ScopeCategory[];
  /** Takes the right to write also where the method only reads: what is shown is a key to more. */
  readonly scopeLevel?: "write";
  /** A `public-only` token: sees what everyone sees, or is refused. */
  readonly publicOnly: "filtered" | "refused";
  /** A page that HTTP Basic opens, too: feeds share its address (contract web.md 0.2). */
  readonly takesBasic?: boolean;
  /** Only HTTP Basic will do (tokens are managed with a password or a token given as one). */
  readonly basicOnly?: boolean;
  /** Whether a site administrator may act as someone else here. On by default on the API, off elsewhere. */
  readonly sudo?: boolean;
  /** Lets in an account that must change its password, so that it can. */
  readonly unfinishedAccounts?: boolean;
  /** Lets in an account that must have a second factor and has none, so that it can set one up. */
  readonly setsUpTwoFactor?: boolean;
  /** Whether the token of a job may come in; absent: where a repository is named that is not about an account. */
  readonly forJobs?: boolean;
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
  /** What the route's declared subject turned out to be, by kind. */
  readonly found: FoundSubjects;
  readonly requestId: string;
  readonly address: string;
  /** What its body takes of the memory for all bodies. */
  readonly bodyShare: BodyShare;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Of lists that have none of their own. */
  readonly pageSizes: PageSizes;
  /** For the change of a handler that answers with git objects. */
  readonly effect: Effect;
  /** The largest body of requests that carry files. */
  readonly bodyLimitBytes: number;
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
  /** What the body is, when it is plain text instead of JSON. */
  readonly textBody?: string;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
}

/** The last two are WebDAV's, which Terraform asks with unless told otherwise. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "LOCK" | "UNLOCK";

/** A handler together with the body it takes: read, checked and typed before it runs. */
export interface TakesBody {
  /** The schema, for the API document. */
  readonly body: TObject;
  handle(call: Call): Promise<Response>;
}

export interface TakesOptions {
  /** The body carries files, and may be as large as the setting allows; else it holds names and texts. */
  readonly large?: boolean;
  /** A limit of its own. */
  readonly limitBytes?: number;
  /** Runs before the body is read, for what is refused whatever it says: a thing of the path that is not there. */
  before?(call: Call): unknown;
}

/**
 * Names the body of a route once: `{ method, path, …, ...takes(CreateTagBody, (call, body) => …) }`.
 * @throws (when called) ValidationFailed `[Field]: …`; TooLarge
 */
export function takes<Body extends TObject>(
  schema: Body,
  handle: (call: Call, body: Static<Body>) => Response | Promise<Response>,
  { large = false, limitBytes, before }: TakesOptions = {},
): TakesBody {
  return {
    body: schema,
    handle: async (call) => {
      before?.(call);
      const limit = limitBytes ?? (large ? call.bodyLimitBytes : SMALL_BODY_BYTES);
      return handle(call, await readChecked(schema, call, limit));
    },
  };
}

export interface Route {
  readonly method: Method;
  /** Elysia's form: `/repos/:owner/:repo/contents/*`. */
  readonly path: string;
  readonly surface: Surface;
  readonly access: Access;
  /** Only routes of the API have one. */
  readonly doc?: RouteDoc;
  /** What `asks` or `lists` was given. */
  readonly query?: readonly ParameterDoc[];
  /** What `takes` was given. */
  readonly body?: TObject;
  handle(call: Call): Response | Promise<Response>;
  /** How the protocol of its clients words a refusal; absent: as the surface does. */
  readonly refuse?: Refuse;
}

/** Makes the answer to a request that was refused. @param message the API's words for the failure */
export type Refuse = (failure: Failure, message: string, request: Request) => Response;

/** The user of a route that lets no one else in; the guard has seen to it. */
export function signedIn(call: Call): User {
  const { user } = call.principal;
  if (!user) throw new Error(`${call.path} was reached without a user`);
  return user;
}

export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`${call.path} has no parameter ${name}`);
  return value;
}

/** The number of a thing that the path names. @throws NotFound it is none: there is nothing of that name */
export function idParam(call: Call, name: string): number {
  const id = param(call, name);
  if (!/^\d{1,15}$/.test(id)) throw new NotFound();
  return Number(id);
}
