import type { Credentials, ProxiedUser } from "../access/credentials.ts";
import { anonymous, type IssuedToken, type Principal, type RepoCredential } from "../access/principal.ts";
import { parseScopes, type TokenScope } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import { Unauthorised } from "../kernel/errors.ts";
import type { AccountPasswords } from "./account-passwords.ts";
import type { IdentityService } from "./service.ts";
import type { SessionService } from "./sessions/service.ts";
import type { TokenService } from "./tokens/service.ts";

export interface Authenticated {
  readonly principal: Principal;
  /** The session cookie should be sent again with a new expiry. */
  readonly renewed: boolean;
  /** The secret of a session that was opened; absent if none was. */
  readonly opened?: string;
}

/** A kind of token, other than access tokens, that authenticates as an account: areas that issue some add a source. */
export interface TokenSource {
  readonly kind: string;
  /** The owner and rights of a token; undefined if it is another kind or no longer valid. */
  find(secret: string): Promise<FoundToken | undefined>;
  /** Whether a token that was found is still valid. */
  isGood(id: number): boolean;
  /** The current rights of a job's token that was found. */
  repoCredentialOf?(id: number): RepoCredential | undefined;
}

export interface FoundToken {
  readonly id: number;
  readonly userId: number;
  /** undefined: no restriction. */
  readonly scope: TokenScope | undefined;
  /** For a job's token: its rights, and on which repositories. */
  readonly repoCredential?: RepoCredential;
}

/**
 * A way to authenticate that another area adds. Returns undefined if it does not apply or the credentials are
 * invalid.
 * @throws Unauthorised the credentials are invalid, and no others were given
 */
export type Identification = (credentials: Credentials) => Promise<Principal | undefined>;

const unidentified: Authenticated = { principal: anonymous, renewed: false };
/** The account that a trusted reverse proxy names. */
export type ProxyIdentification = (said: ProxiedUser, address: string) => Promise<User | undefined>;

/**
 * What another area demands besides the password in HTTP Basic.
 * @throws Unauthorised, TooManyRequests
 */
export type PasswordDemand = (user: User, credentials: Credentials) => Promise<void>;

const refused = () => new Unauthorised("access.bad-credentials");

/**
 * Authenticates requests (contract identity.md section 2). Wrong credentials are an error on every route, public ones
 * too; no credentials silently mean anonymous. Checks neither permissions nor the state of the account.
 */
export class Authenticator {
  private readonly sources: TokenSource[] = [];
  private readonly demands: PasswordDemand[] = [];
  private readonly others: Identification[] = [];
  private proxy: ProxyIdentification | undefined;

  constructor(
    private readonly identity: IdentityService,
    private readonly passwords: AccountPasswords,
    private readonly tokens: TokenService,
    private readonly sessions: SessionService,
    private readonly audit: AuditService,
  ) {}

  /** Adds a kind of token issued by another area, during wiring. */
  addTokens(source: TokenSource): void {
    this.sources.push(source);
  }

  actingAs(principal: Principal, target: User): void {
    this.audit.append(principal, "sudo", target, { name: target.login });
  }

  /** Adds a demand, during wiring. */
  demandWithPassword(demand: PasswordDemand): void {
    this.demands.push(demand);
  }

  /** Adds a way to authenticate that is tried after tokens and before passwords (contract identity.md 2.1). */
  add(identification: Identification): void {
    this.others.push(identification);
  }

  /** Registers, during wiring, how the user named by a trusted reverse proxy is found. */
  believeProxies(proxy: ProxyIdentification): void {
    this.proxy = proxy;
  }

  /** @throws Unauthorised credentials were given and none was right; TooManyRequests */
  async identify(credentials: Credentials): Promise<Authenticated> {
    const [scheme = "", value, ...more] = credentials.authorization?.trim().split(/\s+/) ?? [];
    const kind = scheme.toLowerCase();
    const isTokenHeader = (kind === "token" || kind === "bearer") && more.length === 0;
    // A token in the address takes precedence over one in the header; after either, Basic is still tried.
    const token = credentials.queryToken || (isTokenHeader && value);
    const byToken = token ? await this.byToken(token, false) : undefined;
    if (byToken) return byToken;
    for (const identification of this.others) {
      const principal = await identification(credentials);
      if (principal) return { principal, renewed: false };
    }
    const pair = kind === "basic" && value && more.length === 0 ? decodeBasic(value) : undefined;
    if (pair) return this.byBasic(pair.name, pair.secret, credentials);
    if (token) throw refused();
    if (credentials.proxied && this.proxy) return this.byProxy(this.proxy, credentials.proxied, credentials);
    return credentials.sessionSecret ? this.bySession(credentials.sessionSecret) : unidentified;
  }

  /**
   * The principal with its current account, for work that outlasts the start of a request (security rules B12, M3).
   * @returns undefined if the account, or the token or session it came with, may no longer be used
   */
  refreshed(principal: Principal): Principal | undefined {
    const present = this.present(principal);
    // Nobody can sign in as the account that jobs act as.
    if (!present?.user || present.via === "job") return present;
    return this.identity.accountProblem(present.user) === undefined ? present : undefined;
  }

  /**
   * The principal with its current account, whatever state that is in.
   * @returns undefined if the account, or the token or session it came with, is gone
   */
  present(principal: Principal): Principal | undefined {
    const { issuedToken, sessionId } = principal;
    if (
      issuedToken &&
      !this.sources.some((source) => source.kind === issuedToken.kind && source.isGood(issuedToken.id))
    )
      return undefined;
    if (!principal.user) return principal;
    const user = this.identity.byId(principal.user.id);
    if (!user) return undefined;
    if (principal.tokenId !== undefined && !this.tokens.byId(principal.tokenId)) return undefined;
    if (sessionId !== undefined && !this.sessions.isOpen(user.id, sessionId)) return undefined;
    return { ...principal, user };
  }

  /** The current rights of an authenticated program on repositories; undefined if it has none of its own. */
  repoCredentialOf({ id, kind }: IssuedToken): RepoCredential | undefined {
    return this.sources.find((source) => source.kind === kind)?.repoCredentialOf?.(id);
  }

  /** The proxy's user takes precedence over a session: someone else may be using the browser now. */
  private async byProxy(
    proxy: ProxyIdentification,
    said: ProxiedUser,
    { address, sessionSecret }: Credentials,
  ): Promise<Authenticated> {
    const user = await proxy(said, address);
    if (!user) return unidentified;
    if (!said.opensSession) return { principal: { ...anonymous, user, via: "password", basic: true }, renewed: false };
    const current = sessionSecret ? await this.bySession(sessionSecret) : unidentified;
    if (current.principal.user?.id === user.id) return current;
    const principal: Principal = { ...anonymous, user, via: "session", address };
    if (this.identity.accountProblem(user) !== undefined) return { principal, renewed: false };
    this.sessions.signOut(current.principal);
    const { secret, session } = await this.sessions.open(user.id, { address, userAgent: said.userAgent });
    this.identity.signedIn(user);
    this.audit.append(principal, "sign-in", user, { method: "proxy" });
    return { principal: { ...principal, sessionId: session.id }, renewed: false, opened: secret };
  }

  private async bySession(secret: string): Promise<Authenticated> {
    const session = await this.sessions.validate(secret);
    const user = session && this.identity.byId(session.userId);
    if (!session || !user) return unidentified;
    return {
      principal: { ...anonymous, user, via: "session", sessionId: session.sessionId },
      renewed: session.renewed,
    };
  }

  private async byBasic(name: string, secret: string, credentials: Credentials): Promise<Authenticated> {
    const tokenFirst = secret === "" || secret === "x-oauth-basic" ? name : secret;
    const byToken = await this.byToken(tokenFirst, true);
    if (byToken) return byToken;
    const user = await this.passwords.checkCredentials(name, secret, credentials);
    if (!user) throw refused();
    for (const demand of this.demands) await demand(user, credentials);
    return { principal: { ...anonymous, user, via: "password", basic: true }, renewed: false };
  }

  private async byToken(secret: string, basic: boolean): Promise<Authenticated | undefined> {
    const token = this.tokens.use(secret);
    if (!token) return this.byIssuedToken(secret);
    const user = this.identity.byId(token.userId);
    if (!user) return undefined;
    return {
      principal: { ...anonymous, user, via: "token", scope: parseScopes(token.scopes), tokenId: token.id, basic },
      renewed: false,
    };
  }

  /**
   * One given as a password is not Basic authentication: a token valid for an hour must not create one without
   * expiry.
   */
  private async byIssuedToken(secret: string): Promise<Authenticated | undefined> {
    for (const source of this.sources) {
      const found = await source.find(secret);
      const user = found && this.identity.byId(found.userId);
      if (!found || !user) continue;
      const { repoCredential, scope } = found;
      const via = repoCredential ? "job" : "token";
      const issuedToken = { kind: source.kind, id: found.id };
      return { principal: { ...anonymous, user, via, scope, issuedToken, repoCredential }, renewed: false };
    }
    return undefined;
  }
}

function decodeBasic(value: string): { name: string; secret: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
