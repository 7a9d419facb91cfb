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
 * Every entry point of the server is one of these declarations. Access cannot be forgotten: a route without `access`
 * does not type-check, and the server refuses to start with a handler that has no declaration.
 */

/**
 * Where a request comes in, which determines the accepted credentials and the format of errors:
 * `api` JSON, no cookies; `page` HTML, session cookie only; `bytes` files of pages, cookie or Basic or token, plain
 * text;
 * `git` Basic or token, plain text; `lfs` all of these and git-lfs tokens, in JSON; `registry` Basic, token or whatever
 * else clients of package registries send, in the format of their protocol; `open` credentials are ignored.
 */
export type Surface = "api" | "page" | "bytes" | "git" | "lfs" | "registry" | "open";

export interface Access {
  /** Who may call it at all. */
  readonly who: "anyone" | "user" | "admin";
  /** What the path names, resolved and checked before the handler runs. */
  readonly subject?: SubjectAccess;
  /** Sends anonymous callers to sign in before anything is looked up: the path starts with the caller's own account. */
  readonly signedInFirst?: boolean;
  /** The scopes a token needs; the level follows from the method. Empty: any token will do. */
  readonly scopes: readonly ScopeCategory[];
  /** Requires write level even if the method only reads: the response is a key to more. */
  readonly scopeLevel?: "write";
  /** How a `public-only` token is treated: it sees what everyone sees, or is refused. */
  readonly publicOnly: "filtered" | "refused";
  /** A page that also accepts HTTP Basic: feeds share its address (contract web.md 0.2). */
  readonly takesBasic?: boolean;
  /** Accepts only HTTP Basic (tokens are managed with a password or a token sent as one). */
  readonly basicOnly?: boolean;
  /** Whether a site administrator may act as someone else here. On by default on the API, off elsewhere. */
  readonly sudo?: boolean;
  /** Admits an account that must change its password, so that it can. */
  readonly unfinishedAccounts?: boolean;
  /** Admits an account that must have a second factor but has none, so that it can set one up. */
  readonly setsUpTwoFactor?: boolean;
  /** Whether job tokens are accepted; by default, on repository routes that are not about an account. */
  readonly forJobs?: boolean;
  /** Stays open on sites that show nothing to anonymous visitors: sign-in, assets. */
  readonly beforeSignIn?: boolean;
}

/** What a handler gets. */
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
  /** The resolved subject of the route, by kind. */
  readonly found: FoundSubjects;
  readonly requestId: string;
  readonly address: string;
  /** The body's share of the memory for all bodies. */
  readonly bodyShare: BodyShare;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** For lists that don't define their own. */
  readonly pageSizes: PageSizes;
  /** For the change made by a handler that answers with git objects. */
  readonly effect: Effect;
  /** The body limit of requests that carry files. */
  readonly bodyLimitBytes: number;
  /** Lets this request stay silent for as long as it needs. */
  keepOpen(): void;
  /** Adds a header to whatever is answered, errors included. */
  header(name: string, value: string): void;
}

export interface AnswerDoc {
  readonly description: string;
  readonly schema?: TSchema;
  /** The media type, if it is not JSON: `text/html`. */
  readonly mediaType?: string;
}

export interface ParameterDoc {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
}

/** What the API document says about a route. */
export interface RouteDoc {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Descriptions of the path parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  /** Description of the body, if it is plain text instead of JSON. */
  readonly textBody?: string;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
}

/** The last two are WebDAV's, which Terraform uses by default. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "LOCK" | "UNLOCK";

/** A handler together with its body, which is read, validated and typed before it runs. */
export interface TakesBody {
  /** The schema, for the API document. */
  readonly body: TObject;
  handle(call: Call): Promise<Response>;
}

export interface TakesOptions {
  /** The body carries files and may be as large as the setting allows; otherwise it holds names and texts. */
  readonly large?: boolean;
  /** Overrides the default limit. */
  readonly limitBytes?: number;
  /**
   * Runs before the body is read, for requests that fail whatever the body is: the resource in the path does not exist.
   */
  before?(call: Call): unknown;
}

/**
 * Declares a route's body once: `{ method, path, …, ...takes(CreateTagBody, (call, body) => …) }`.
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
  /** In Elysia's syntax: `/repos/:owner/:repo/contents/*`. */
  readonly path: string;
  readonly surface: Surface;
  readonly access: Access;
  /** Only API routes have one. */
  readonly doc?: RouteDoc;
  /** The parameters given to `asks` or `lists`. */
  readonly query?: readonly ParameterDoc[];
  /** The schema given to `takes`. */
  readonly body?: TObject;
  handle(call: Call): Response | Promise<Response>;
  /** Formats an error for the protocol's clients; by default as the surface does. */
  readonly refuse?: Refuse;
}

/** Builds the response to a refused request. @param message the API message of the failure */
export type Refuse = (failure: Failure, message: string, request: Request) => Response;

/** The user on a route that requires one; the guard has checked it. */
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

/** A numeric id in the path. @throws NotFound if it is not a number, as nothing has that id */
export function idParam(call: Call, name: string): number {
  const id = param(call, name);
  if (!/^\d{1,15}$/.test(id)) throw new NotFound();
  return Number(id);
}
