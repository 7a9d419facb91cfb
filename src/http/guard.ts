import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { hasScope, type ScopeCategory, scopeNames } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { IdentityService } from "../identity/service.ts";
import { Forbidden, Locked, NotFound, Redirected, Unauthorised } from "../kernel/errors.ts";
import { paging } from "../kernel/paging.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { BodyShare } from "./body-memory.ts";
import { sessionSecretOf, signInCookies } from "./cookies.ts";
import { movedTarget, pathParams } from "./path.ts";
import type { Call, RepoAccess, Route } from "./route.ts";

export interface GuardOptions {
  readonly rootUrl: string;
  readonly requireSignin: boolean;
  /** How long a remembered sign-in lasts unused. */
  readonly sessionDays: number;
  readonly pageSizes: { readonly standard: number; readonly largest: number };
}

/** What the guard asks of the repositories' service. */
export interface RepoFinder {
  /** @throws NotFound missing or invisible; Redirected renamed or moved */
  see(principal: Principal, owner: string, name: string, redirect: (owner: string, name: string) => string): SeenRepo;
}

/** The request's outside, before anybody knows who asks. */
export interface Incoming {
  readonly request: Request;
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly address: string;
  readonly bodyShare: BodyShare;
  /** `performance.now()` when it arrived. */
  readonly startedAt: number;
  readonly answerHeaders: Headers;
  keepOpen(): void;
}

/** Decides for every route, in the contract's order, whether a request reaches its handler. */
export class Guard {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly identity: IdentityService,
    private readonly repos: RepoFinder,
    private readonly options: GuardOptions,
  ) {}

  /** @throws Failure or Redirected: what the caller gets instead of the handler's answer */
  async admit(route: Route, incoming: Incoming): Promise<Call> {
    const { request, query } = incoming;
    const params = pathParams(route.path, incoming.path);
    if (route.surface === "page" || route.surface === "bytes") requireSameOrigin(request, this.options.rootUrl);
    const identified = await this.identify(route, incoming);
    let { principal, user } = identified;
    if (identified.renewed) this.sendCookieAgain(incoming);
    if (user) this.requireUsableAccount(route, user);
    if (route.access.sudo ?? route.surface === "api") {
      ({ principal, user } = this.sudo(principal, user, request, query));
      // An administrator who may not act himself may not act as another, and no one acts as one who may not.
      if (user && user !== identified.user) this.requireUsableAccount(route, user);
    }
    if (!user && this.options.requireSignin && !route.access.beforeSignIn && route.surface !== "git") {
      if (route.surface === "api") throw new Forbidden("Only signed in user is allowed to call APIs.");
      throw signInFirst(incoming);
    }
    if (route.surface !== "git") requireScopes(principal, route);
    const seen = this.seeRepo(route, principal, params, incoming);
    this.requireWho(route, principal, params, incoming);
    if (route.access.repo && seen) requireRepo(route, route.access.repo, seen, principal, incoming);
    if (route.access.basicOnly && !principal.basic) throw new Unauthorised("auth required");
    return {
      request,
      target: incoming.target,
      path: incoming.path,
      pattern: route.path,
      query,
      params,
      principal,
      user,
      seen,
      requestId: incoming.requestId,
      address: incoming.address,
      bodyShare: incoming.bodyShare,
      startedAt: incoming.startedAt,
      paging: paging(query.get("page"), query.get("limit"), this.options.pageSizes),
      keepOpen: incoming.keepOpen,
      header: (name, value) => incoming.answerHeaders.append(name, value),
    };
  }

  private get secure(): boolean {
    return this.options.rootUrl.startsWith("https:");
  }

  /** A session was prolonged; a cookie that ends with the browser needs no new date. */
  private sendCookieAgain({ request, answerHeaders }: Incoming): void {
    const brought = sessionSecretOf(request, this.secure);
    if (!brought?.remembered) return;
    const rememberSeconds = this.options.sessionDays * 86_400;
    const [cookie] = signInCookies(brought.secret, { secure: this.secure, rememberSeconds });
    if (cookie) answerHeaders.append("set-cookie", cookie);
  }

  private identify(route: Route, { request, query, address, answerHeaders }: Incoming) {
    const takesCookie = route.surface === "page" || route.surface === "bytes";
    const takesHeader = route.surface !== "page" && route.surface !== "open";
    const queryToken = takesHeader ? (query.get("token") ?? query.get("access_token")) : null;
    if (queryToken)
      answerHeaders.set(
        "x-gitea-warning",
        "token and access_token in the query are deprecated, use the Authorization header",
      );
    return this.authenticator.identify({
      authorization: takesHeader ? request.headers.get("authorization") : null,
      queryToken,
      sessionSecret: takesCookie ? sessionSecretOf(request, this.secure)?.secret : undefined,
      address,
      signal: request.signal,
    });
  }

  /** A site administrator acts as someone else; the token's scopes stay the administrator's (contract 2.5). */
  private sudo(
    principal: Principal,
    user: User | undefined,
    request: Request,
    query: URLSearchParams,
  ): { principal: Principal; user: User | undefined } {
    const name = query.get("sudo") ?? request.headers.get("sudo");
    if (!name) return { principal, user };
    if (!principal.user?.isAdmin) throw new Forbidden("Only administrators allowed to sudo.");
    const target = this.identity.byLogin(name);
    if (!target || target.kind === "organization") throw new NotFound(`user does not exist [uid: 0, name: ${name}]`);
    return { principal: { ...principal, user: target }, user: target };
  }

  private requireUsableAccount(route: Route, user: User): void {
    const problem = this.identity.accountProblem(user);
    if (problem === undefined || route.surface === "git") return;
    if (problem === "must-change-password") {
      if (route.access.unfinishedAccounts) return;
      if (route.surface === "page") throw new Redirected(303, "/user/settings/change_password");
      throw new Forbidden(`You must change your password. Change it at: ${this.options.rootUrl}user/change_password`);
    }
    // There is no confirmation by mail, so an inactive account is one that an administrator switched off.
    throw new Forbidden("This account is prohibited from signing in, please contact your site administrator.");
  }

  private seeRepo(
    route: Route,
    principal: Principal,
    params: Record<string, string>,
    incoming: Incoming,
  ): SeenRepo | undefined {
    if (!route.access.repo) return undefined;
    const { owner, repo } = params;
    if (owner === undefined || repo === undefined)
      throw new Error(`${route.path} declares a repository and names none`);
    // The web answers under `name.git` as under `name`.
    const name = route.surface === "api" ? repo : repo.replace(/\.git$/i, "");
    return this.repos.see(principal, owner, name, (newOwner, newName) =>
      movedTarget(incoming.target, route.path, { owner: newOwner, repo: newName }),
    );
  }

  private requireWho(route: Route, principal: Principal, params: Record<string, string>, incoming: Incoming): void {
    const { who } = route.access;
    if (who === "anyone") return;
    if (who === "own-or-admin") {
      if (!principal.user?.isAdmin && !this.isOwnName(principal, params["username"] ?? ""))
        throw new Forbidden("doer should be the site admin or be same as the contextUser");
      return;
    }
    if (!principal.user) throw route.surface === "page" ? signInFirst(incoming) : new Unauthorised();
    if (who === "admin" && !principal.user.isAdmin) throw new Forbidden("user should be the site admin");
  }

  /** A former name counts: the handler sends the caller on to the present one. */
  private isOwnName(principal: Principal, name: string): boolean {
    if (!principal.user) return false;
    if (principal.user.login.toLowerCase() === name.toLowerCase()) return true;
    return !this.identity.byLogin(name) && this.identity.renamedTo(name)?.id === principal.user.id;
  }
}

function requireScopes(principal: Principal, route: Route): void {
  if (!principal.scope) return;
  const { access } = route;
  if (access.publicOnly === "refused" && principal.scope.publicOnly)
    throw new Forbidden("this endpoint is not available for public-only tokens");
  const level = route.method === "GET" || route.method === "OPTIONS" ? "read" : "write";
  const missing: ScopeCategory[] = access.scopes.filter((category) => !hasScope(principal, category, level));
  if (missing.length === 0) return;
  const required = access.scopes.map((category) => `${level}:${category}`).join(",");
  throw new Forbidden(
    `token does not have at least one of required scope(s), required=[${required}], token scope=${scopeNames(principal.scope).join(",")}`,
  );
}

/** Refusals by level, in the words clients match (contract repositories.md 1.2). */
const refusals: Record<RepoAccess["level"], string> = {
  read: "user should have specific read permission or be a repo admin or a site admin",
  write: "user should have a permission to write to a repo",
  admin: "user should be an owner or a collaborator with admin write of a repository",
  owner: "user should be the owner of the repo",
};

function requireRepo(route: Route, wanted: RepoAccess, seen: SeenRepo, principal: Principal, incoming: Incoming): void {
  const held = wanted.unit ? seen.access.on(wanted.unit) : seen.access.level;
  if (!atLeast(held, wanted.level)) {
    if (route.surface === "api")
      throw principal.user || wanted.level === "read" ? new Forbidden(refusals[wanted.level]) : new Unauthorised();
    // A page that exists only for others looks like one that does not exist; a visitor may first say who he is.
    if (!principal.user && wanted.level !== "read" && route.surface === "page") throw signInFirst(incoming);
    throw new NotFound();
  }
  if (wanted.state && seen.repo.isArchived) {
    if (route.surface !== "api") throw new NotFound();
    throw new Locked(wanted.state === "editable" ? "repo is not allowed to edit" : "repo is archived");
  }
}

function signInFirst(incoming: Incoming): Redirected {
  const back = incoming.request.method === "GET" ? `?redirect_to=${encodeURIComponent(incoming.target)}` : "";
  return new Redirected(303, `/user/login${back}`);
}

/**
 * A browser's unsafe request must come from our own pages (security rule H2). Requests by Basic or token carry
 * their proof with them and have no Origin of another site.
 */
function requireSameOrigin(request: Request, rootUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return;
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  const refuse = () => new Forbidden("cross-origin request refused");
  if (site !== null) throw refuse();
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const host = request.headers.get("host");
  let from: string;
  try {
    from = new URL(origin).host;
  } catch {
    throw refuse();
  }
  if (from !== host && from !== new URL(rootUrl).host) throw refuse();
}
