import type { Credentials, ProxiedUser } from "../access/credentials.ts";

import type { Principal } from "../access/principal.ts";
import { hasScope, type ScopeCategory, scopeNames } from "../access/scopes.ts";
import type { AccountProblem, User } from "../access/user.ts";
import { Conflict, Forbidden, NotFound, Redirected, Unauthorised, ValidationFailed } from "../kernel/errors.ts";
import type { BodyShare } from "./body-memory.ts";
import { rememberCookie, rememberedOf, sessionCookie, sessionSecretOf } from "./cookies.ts";
import { Effect } from "./effect.ts";
import { movedTarget, pathParams } from "./path.ts";
import type { Call, Route, Surface } from "./route.ts";
import type { ResolvedSubject, SubjectLook, Subjects } from "./subject.ts";

export interface GuardOptions {
  readonly rootUrl: string;
  readonly requireSignin: boolean;
  /** Days of inactivity after which a remembered sign-in expires. */
  readonly sessionDays: number;
  /** Whether accounts must be confirmed by an emailed link before they can be used. */
  readonly confirmAddresses: boolean;
  readonly proxySignIn: ProxySignInHeaders;
  readonly bodyLimitBytes: number;
  readonly pageSizes: { readonly standard: number; readonly largest: number };
  /** A counter that differs after any change. */
  changes(): number;
}

/**
 * The headers in which a trusted reverse proxy names the signed-in user, and the surfaces on which they are trusted.
 */
export interface ProxySignInHeaders {
  readonly believed: "off" | "pages" | "everywhere";
  readonly user: string;
  readonly email: string;
  readonly fullName: string;
}

/** Determines who sent a request. */
export interface Identifier {
  /** @throws Unauthorised if credentials were given and none was valid; TooManyRequests */
  identify(
    credentials: Credentials,
  ): Promise<{ readonly principal: Principal; readonly renewed: boolean; readonly opened?: string }>;
  /** The principal with its account's current state; undefined if the account, or its token or session, is gone. */
  present(principal: Principal): Principal | undefined;
  /** Called when an administrator changes something as someone else. */
  actingAs(principal: Principal, target: User): void;
}

/** What the guard needs to know about accounts. */
export interface Accounts {
  byLogin(login: string): User | undefined;
  /** Why this account may not be used now; undefined if it may. */
  accountProblem(user: User): AccountProblem | undefined;
}

/** The request before it is authenticated. */
export interface Incoming {
  readonly request: Request;
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly address: string;
  /** Whether the connection comes from a trusted proxy, whose headers may be trusted. */
  readonly throughProxy: boolean;
  readonly bodyShare: BodyShare;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  readonly answerHeaders: Headers;
  keepOpen(): void;
}

/** A request to be admitted, and its sender. */
interface Admission {
  readonly route: Route;
  readonly incoming: Incoming;
  readonly params: Record<string, string>;
  readonly asks: Principal;
  /** `GuardOptions.changes` at the time of the decision. */
  readonly changes: number;
}

/** Decides for every route, in the contract's order, whether a request reaches its handler. */
export class Guard {
  constructor(
    private readonly identifier: Identifier,
    private readonly accounts: Accounts,
    private readonly subjects: Subjects,
    private readonly options: GuardOptions,
  ) {}

  /** @throws Failure or Redirected, to be answered instead of calling the handler */
  async admit(route: Route, incoming: Incoming): Promise<Call> {
    const { request, query } = incoming;
    const params = pathParams(route.path, incoming.path);
    if (takesCookie(route)) requireSameOrigin(request, this.options.rootUrl);
    const identified = await this.identify(route, incoming);
    const asks: Principal = { ...identified.principal, address: incoming.address };
    if (identified.renewed) this.sendCookieAgain(incoming);
    if (identified.opened) incoming.answerHeaders.append("set-cookie", sessionCookie(identified.opened, this.secure));
    // A remembered browser signs in automatically and is sent back here (contract web.md 0.2).
    const isPageToSee = route.surface === "page" && route.method === "GET" && !route.access.beforeSignIn;
    if (isPageToSee && !asks.user && rememberedOf(request, this.secure)) throw signInFirst(incoming);
    const admission = { route, incoming, params, asks, changes: this.options.changes() };
    const { principal, subject } = this.decide(admission, (admin, target) => {
      if (!isSafe(route.method)) this.identifier.actingAs(admin, target);
    });
    incoming.bodyShare.onReceived(() => this.confirm(admission, subject));
    return {
      request,
      target: incoming.target,
      path: incoming.path,
      pattern: route.path,
      query,
      params,
      principal,
      found: subject?.found ?? {},
      requestId: incoming.requestId,
      address: incoming.address,
      bodyShare: incoming.bodyShare,
      startedAt: incoming.startedAt,
      pageSizes: this.options.pageSizes,
      bodyLimitBytes: this.options.bodyLimitBytes,
      effect: new Effect(),
      keepOpen: incoming.keepOpen,
      header: (name, value) => incoming.answerHeaders.append(name, value),
    };
  }

  /**
   * @param actsAs called when an administrator acts as another user
   * @throws what the caller gets instead of the handler's answer
   */
  private decide(
    { route, incoming, params, asks }: Admission,
    actsAs: (admin: Principal, target: User) => void,
  ): { readonly principal: Principal; readonly subject: ResolvedSubject | undefined } {
    const { request, query } = incoming;
    let principal = asks;
    if (principal.via === "job") requireForJobs(route);
    else if (principal.user) this.requireUsableAccount(route, principal.user);
    if (route.access.sudo ?? route.surface === "api") {
      principal = this.sudo(principal, request, query);
      // An administrator whose account is unusable may not act as another, and nobody may act as an unusable account.
      if (principal.user && principal.user !== asks.user) {
        this.requireUsableAccount(route, principal.user);
        actsAs({ ...principal, user: asks.user }, principal.user);
      }
    }
    if (!principal.user && this.options.requireSignin && !route.access.beforeSignIn && !judgesItself(route.surface)) {
      if (route.surface === "api") throw new Forbidden("access.site-closed");
      throw signInFirst(incoming);
    }
    if (!judgesItself(route.surface)) requireScopes(principal, route);
    if (route.access.signedInFirst) this.requireWho(route, principal, incoming);
    const subject =
      route.access.subject &&
      this.subjects.resolve(route.access.subject, this.look(route, principal, params, incoming));
    this.requireWho(route, principal, incoming);
    subject?.require();
    if (route.access.basicOnly && !principal.basic) throw new Unauthorised("access.basic-required");
    return { principal, subject };
  }

  /**
   * Decides again once the whole body has arrived: that may have taken hours, and in the meantime the caller may have
   * lost their rights, or the subject may have been deleted (security rule M3).
   * @throws what the caller would get now; Conflict if they would still be admitted, but on different terms
   */
  private confirm(admission: Admission, before: ResolvedSubject | undefined): void {
    if (this.options.changes() === admission.changes) return;
    const asks = this.identifier.present(admission.asks);
    if (!asks) throw new Unauthorised();
    const changed = () => new Conflict("request.access-changed");
    try {
      const { subject } = this.decide({ ...admission, asks }, () => {});
      if (subject?.standing() !== before?.standing()) throw changed();
    } catch (error) {
      // A moved subject must be requested under its new name.
      throw error instanceof Redirected ? changed() : error;
    }
  }

  private get secure(): boolean {
    return this.options.rootUrl.startsWith("https:");
  }

  /** Sends the remember cookie again after its session was prolonged; a session cookie has no date to update. */
  private sendCookieAgain({ request, answerHeaders }: Incoming): void {
    const value = rememberedOf(request, this.secure);
    if (!value) return;
    const maxAgeSeconds = this.options.sessionDays * 86_400;
    answerHeaders.append("set-cookie", rememberCookie({ value, maxAgeSeconds }, this.secure));
  }

  private async identify(route: Route, incoming: Incoming) {
    const { request, target, query, address, answerHeaders } = incoming;
    const proxied = this.proxiedUser(route, incoming);
    const takesHeader = route.surface !== "page" && route.surface !== "open";
    const queryToken = takesHeader ? (query.get("token") ?? query.get("access_token")) : null;
    if (queryToken)
      answerHeaders.set(
        "x-gitea-warning",
        "token and access_token in the query are deprecated, use the Authorization header",
      );
    const forRegistry = route.surface === "registry";
    const sessionSecret = takesCookie(route) ? sessionSecretOf(request, this.secure) : undefined;
    const header = request.headers.get("authorization");
    // A signed-in browser may be sending the password of a reverse proxy.
    const takesBasic = route.access.takesBasic && sessionSecret === undefined && /^basic /i.test(header ?? "");
    const sent = takesHeader || takesBasic ? header : null;
    const authorization = forRegistry ? registryAuthorization(sent, request) : sent;
    const mayBeInForm = route.surface === "api" && authorization === null && !queryToken;
    return this.identifier.identify({
      authorization,
      queryToken: mayBeInForm ? await tokenOfForm(incoming) : queryToken,
      passcode: request.headers.get("x-gitea-otp") ?? request.headers.get("x-forgejo-otp"),
      forGit: isForGit(route),
      forLfs: route.surface === "lfs",
      forRegistry,
      sessionSecret,
      ...(isSigned(route, request)
        ? { signed: { method: request.method, target, header: (name: string) => request.headers.get(name) } }
        : {}),
      ...(proxied ? { proxied } : {}),
      address,
      signal: request.signal,
    });
  }

  /** The user named by a trusted proxy. Anyone else can send the same headers, so theirs are ignored. */
  private proxiedUser({ surface }: Route, { request, throughProxy }: Incoming): ProxiedUser | undefined {
    const { believed, user, email, fullName } = this.options.proxySignIn;
    const isPage = surface === "page" || surface === "bytes";
    if (!throughProxy || believed === "off" || !(isPage || (surface === "api" && believed === "everywhere")))
      return undefined;
    const said = (header: string) => request.headers.get(header)?.trim().slice(0, 300) ?? "";
    const name = said(user);
    if (name === "") return undefined;
    const userAgent = request.headers.get("user-agent") ?? "";
    return { name, email: said(email), fullName: said(fullName), opensSession: surface === "page", userAgent };
  }

  /** Lets a site administrator act as someone else; the token keeps the administrator's scopes (contract 2.5). */
  private sudo(principal: Principal, request: Request, query: URLSearchParams): Principal {
    const name = query.get("sudo") ?? request.headers.get("sudo");
    if (!name) return principal;
    if (!principal.user?.isAdmin) throw new Forbidden("access.sudo-refused");
    const target = this.accounts.byLogin(name);
    if (!target || target.kind === "organization") throw new NotFound("access.sudo-unknown");
    return { ...principal, user: target };
  }

  private requireUsableAccount(route: Route, user: User): void {
    const problem = this.accounts.accountProblem(user);
    if (problem === undefined || judgesItself(route.surface)) return;
    if (problem === "must-change-password") {
      if (route.access.unfinishedAccounts) return;
      if (route.surface === "page") throw new Redirected(303, "/user/settings/change_password");
      throw new Forbidden("access.password-change-required", { params: { rootUrl: this.options.rootUrl } });
    }
    if (problem === "two-factor-required") {
      if (route.access.unfinishedAccounts || route.access.setsUpTwoFactor) return;
      if (route.surface === "page") throw new Redirected(303, "/user/settings/security");
      // Repositories do not exist for such accounts (contract identity.md 2.7).
      throw route.access.subject?.kind === "repository" ? new NotFound() : new Forbidden("access.two-factor-required");
    }
    if (problem === "inactive" && this.options.confirmAddresses) throw new Forbidden("access.account-not-activated");
    // Without email confirmation, an inactive account is one disabled by an administrator.
    throw new Forbidden("access.account-disabled");
  }

  private look(route: Route, principal: Principal, params: Record<string, string>, incoming: Incoming): SubjectLook {
    return {
      principal,
      params,
      surface: route.surface,
      moved: (present) => movedTarget(incoming.target, route.path, present),
      signInFirst: () => signInFirst(incoming),
    };
  }

  private requireWho({ access, surface }: Route, { user }: Principal, incoming: Incoming): void {
    if (access.who === "anyone") return;
    if (!user) throw surface === "page" ? signInFirst(incoming) : new Unauthorised();
    if (access.who === "admin" && !user.isAdmin) throw new Forbidden("access.site-admin-required");
  }
}

const takesCookie = ({ surface }: Route) => surface === "page" || surface === "bytes" || surface === "lfs";

/** The header that marks a signed request: HTTP signatures, and those of Chef's clients. */
const signatureHeaders: Partial<Record<Surface, string>> = { api: "signature", registry: "x-ops-sign" };

function isSigned({ surface }: Route, { headers }: Request): boolean {
  const name = signatureHeaders[surface];
  return name !== undefined && !!headers.get(name);
}

const isForGit = ({ surface }: Route) => surface === "git" || surface === "lfs";

/** Surfaces that apply their own rules for accounts, scopes and closed sites. */
const judgesItself = (surface: Surface): boolean => surface === "git" || surface === "lfs" || surface === "registry";

function requireScopes(principal: Principal, route: Route): void {
  if (!principal.scope) return;
  const { access } = route;
  if (access.publicOnly === "refused" && principal.scope.publicOnly) throw new Forbidden("access.public-only-refused");
  const level = access.scopeLevel ?? (route.method === "GET" || route.method === "OPTIONS" ? "read" : "write");
  const missing: ScopeCategory[] = access.scopes.filter((category) => !hasScope(principal, category, level));
  if (missing.length === 0) return;
  // The error names the one missing category for repositories and accounts, but always both for organizations.
  const asked = access.scopes.includes("organization") ? access.scopes : missing.slice(0, 1);
  const required = asked.map((category) => `${level}:${category}`).join(" ");
  throw new Forbidden("access.scope-missing", { params: { required, held: scopeNames(principal.scope).join(",") } });
}

/**
 * A job's token belongs to one repository: it can do what anyone can and use routes about repositories, but none about
 * accounts (contract actions.md 7.1).
 * @throws Forbidden
 */
function requireForJobs({ access }: Route): void {
  const isOfRepo = access.subject?.kind === "repository" && access.scopes.every((scope) => ofRepos.has(scope));
  if (!(access.forJobs ?? (access.who === "anyone" || isOfRepo))) throw new Forbidden("access.not-for-jobs");
}

const ofRepos: ReadonlySet<ScopeCategory> = new Set(["repository", "issue", "package"]);

/** Some registry clients send a token without a scheme, as configured; NuGet sends it in a header of its own. */
function registryAuthorization(sent: string | null, { headers }: Request): string | null {
  if (sent !== null) return /\s/.test(sent.trim()) ? sent : `token ${sent.trim()}`;
  const key = headers.get("x-nuget-apikey");
  return key === null ? null : `token ${key}`;
}

/** More than a form needs to carry a token. */
const FORM_WITH_TOKEN_BYTES = 65_536;

/** The token in a form's fields (contract identity.md 2.1); the form is read once for the whole request. */
async function tokenOfForm({ bodyShare, request }: Incoming): Promise<string | null> {
  const { headers } = request;
  const length = Number(headers.get("content-length") ?? "0");
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  if (!isForm || length === 0 || length > FORM_WITH_TOKEN_BYTES) return null;
  // Loaded with the first form: the validation code takes time to load.
  const { readFields } = await import("./body.ts");
  try {
    const form = await readFields({ request, bodyShare }, FORM_WITH_TOKEN_BYTES);
    const token = form.fields["token"] ?? form.fields["access_token"];
    return form.fromForm && typeof token === "string" ? token : null;
  } catch (error) {
    // Not a valid form: the error is reported later, if the caller is admitted.
    if (error instanceof ValidationFailed) return null;
    throw error;
  }
}

const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS";

function signInFirst(incoming: Incoming): Redirected {
  const back = incoming.request.method === "GET" ? `?redirect_to=${encodeURIComponent(incoming.target)}` : "";
  return new Redirected(303, `/user/login${back}`);
}

/**
 * An unsafe request from a browser must come from our own pages (security rule H2). Basic and token requests carry
 * their own proof and no Origin of another site. Current browsers state where a form comes from, older ones in Referer;
 * a request without either is not a cross-site form, which would come without the cookie (SameSite=Lax).
 * @throws Forbidden
 */
function requireSameOrigin(request: Request, rootUrl: string): void {
  if (isSafe(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  const refuse = () => new Forbidden("access.cross-origin");
  if (site !== null) throw refuse();
  const origin = request.headers.get("origin") ?? request.headers.get("referer");
  if (origin === null) return;
  if (!URL.canParse(origin)) throw refuse();
  const from = new URL(origin).host;
  if (from !== request.headers.get("host") && from !== new URL(rootUrl).host) throw refuse();
}
