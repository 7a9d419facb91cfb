import type { Configuration } from "openid-client";
import { steadyClock } from "../../kernel/clock.ts";
import { Failure, Forbidden } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { isHttpUrl } from "../../kernel/web-address.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import { OutboundFailed } from "../../outbound/errors.ts";
import type { Secret } from "../../secrets/secret.ts";
import type { OAuth2Source, OutsideIdentity } from "../types.ts";
import { outboundFetch } from "./fetch.ts";
import { at, PROVIDERS, type Profile, type Provider, textAt } from "./providers.ts";

export interface OAuth2Options {
  /** Which of the provider's claims becomes the account name: `sign_in.username`. */
  readonly username: "userid" | "nickname" | "preferred_username" | "email";
  /** Requested from every OpenID provider in addition to those it requires: `sign_in.openid_scopes`. */
  readonly openidScopes: readonly string[];
}

/** The state of a sign-in while the browser is at the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Known {
  readonly updatedAt: number;
  readonly until: number;
  readonly configuration: Promise<Configuration>;
}

const KNOWN_MS = 10 * 60_000;
const FAILED_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 60;

/** Talks to OAuth2 and OpenID Connect providers: builds the redirect, and identifies who came back. */
export class OAuth2Client {
  private readonly known = new Map<number, Known>();

  constructor(
    private readonly outbound: OutboundClient,
    private readonly log: Log,
    private readonly secretOf: (source: OAuth2Source) => Secret | undefined,
    private readonly options: OAuth2Options,
  ) {}

  /**
   * The address to redirect the browser to.
   * @param returnTo the address the provider redirects back to
   * @throws Failure `source.unreachable`, `source.refused`
   */
  async begin(source: OAuth2Source, returnTo: string): Promise<{ location: string; attempt: Attempt }> {
    const library = await import("openid-client");
    const attempt = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const provider = providerOf(source);
    const isOpenId = provider.protocol === "openid";
    return this.asking(source, async () => {
      const configuration = await this.configuration(source);
      const asked = [
        ...provider.scopes,
        ...(isOpenId ? this.options.openidScopes : []),
        ...words(source.settings.scopes),
      ];
      const location = library.buildAuthorizationUrl(configuration, {
        redirect_uri: returnTo,
        scope: [...new Set(asked)].join(" "),
        state: attempt.state,
        code_challenge: await library.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
        ...(isOpenId ? { nonce: attempt.nonce } : {}),
      });
      return { location: location.href, attempt };
    });
  }

  /**
   * Identifies the user who came back.
   * @param returned the address that the browser was redirected to, with its query
   * @throws Failure `source.unreachable`; Forbidden `source.refused`, `source.not-admitted`
   */
  async finish(source: OAuth2Source, returned: URL, attempt: Attempt): Promise<OutsideIdentity> {
    const library = await import("openid-client");
    const provider = providerOf(source);
    const isOpenId = provider.protocol === "openid";
    // Without discovery the provider's issuer is unknown.
    if (!isOpenId) returned.searchParams.delete("iss");
    return this.asking(source, async () => {
      const configuration = await this.configuration(source);
      const tokens = await library.authorizationCodeGrant(configuration, returned, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        ...(isOpenId ? { expectedNonce: attempt.nonce, idTokenExpected: true } : {}),
      });
      const { issuer, userinfo_endpoint: userinfo } = configuration.serverMetadata();
      if (!isOpenId) {
        const { profile, emails } = await this.profile(source, provider, configuration, tokens.access_token);
        const read = provider.read?.(profile, emails);
        if (!read || read.subject === "") throw new Forbidden("source.refused");
        return this.identity(source, issuer, read, profile);
      }
      const said = tokens.claims();
      if (!said) throw new Forbidden("source.refused");
      const more = userinfo ? await library.fetchUserInfo(configuration, tokens.access_token, said.sub) : {};
      const claims = { ...said, ...more };
      return this.identity(source, issuer, readClaims(claims), claims);
    });
  }

  /**
   * Where a browser signs out at the provider (OpenID Connect RP-Initiated Logout 1.0); undefined: the provider has
   * no such endpoint, or cannot be reached. No token is stored, so the provider may ask for confirmation.
   * @param returnTo the address the provider redirects back to
   */
  async signOutAddress(source: OAuth2Source, returnTo: string): Promise<string | undefined> {
    if (providerOf(source).protocol !== "openid") return undefined;
    const library = await import("openid-client");
    try {
      return await this.asking(source, async () => {
        const configuration = await this.configuration(source);
        if (!isHttpUrl(configuration.serverMetadata().end_session_endpoint ?? "")) return undefined;
        return library.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
      });
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  private identity(source: OAuth2Source, issuer: string, profile: Profile, claims: unknown): OutsideIdentity {
    const { settings } = source;
    requireClaim(settings.requiredClaim, settings.requiredValue, claims);
    const groups = settings.groupClaim === "" ? undefined : valuesOf(at(claims, settings.groupClaim));
    const isIn = (group: string) => (group === "" || !groups ? undefined : groups.includes(group));
    const named = {
      userid: profile.subject,
      nickname: profile.nickname,
      preferred_username: textAt(claims, "preferred_username") || profile.nickname,
      email: profile.email,
    };
    return {
      issuer,
      subject: profile.subject,
      name: named[this.options.username] || profile.nickname || profile.email,
      fullName: settings.fullNameClaim === "" ? profile.fullName : textAt(claims, settings.fullNameClaim),
      email: profile.email,
      isEmailProven: profile.isEmailProven,
      pictureUrl: profile.pictureUrl,
      picture: undefined,
      groups,
      isAdmin: isIn(settings.adminGroup),
      isRestricted: isIn(settings.restrictedGroup),
      sshKeys: settings.sshKeyClaim === "" ? undefined : valuesOf(at(claims, settings.sshKeyClaim)),
    };
  }

  private async profile(source: OAuth2Source, provider: Provider, configuration: Configuration, token: string) {
    const library = await import("openid-client");
    const { profile, email } = endpointsOf(source, provider);
    const ask = async (address: string): Promise<unknown> => {
      const headers = new Headers({ accept: "application/json", ...provider.headers });
      const answer = await library.fetchProtectedResource(configuration, token, new URL(address), "GET", null, headers);
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new Forbidden("source.refused");
      }
      return answer.json();
    };
    return { profile: await ask(profile), emails: email ? await ask(email) : undefined };
  }

  private configuration(source: OAuth2Source): Promise<Configuration> {
    const before = this.known.get(source.id);
    if (before && before.updatedAt === source.updatedAt && before.until > steadyClock()) return before.configuration;
    const configuration = this.discover(source);
    const entry = { updatedAt: source.updatedAt, until: steadyClock() + KNOWN_MS, configuration };
    this.known.set(source.id, entry);
    configuration.catch(() => {
      // Failures are cached, so that visitors cannot make us query an unresponsive provider over and over.
      if (this.known.get(source.id) === entry)
        this.known.set(source.id, { ...entry, until: steadyClock() + FAILED_MS });
    });
    return configuration;
  }

  private async discover(source: OAuth2Source): Promise<Configuration> {
    const library = await import("openid-client");
    const { settings } = source;
    const provider = providerOf(source);
    const fetch = outboundFetch(this.outbound);
    const secret = this.secretOf(source)?.reveal() ?? "";
    const server =
      provider.protocol === "openid"
        ? await discovered(settings.discoveryUrl || tenantOf(provider.discoveryUrl ?? "", settings.tenant))
        : plainServer(endpointsOf(source, provider));
    const takesPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") ?? false;
    const basic = provider.protocol === "openid" && !takesPost;
    const authentication =
      secret === "" ? library.None() : (basic ? library.ClientSecretBasic : library.ClientSecretPost)(secret);
    const client = { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const configuration = new library.Configuration(server, settings.clientId, client, authentication);
    configuration[library.customFetch] = fetch;
    // Where and how the server may connect is decided by `network.allow` and the administrator's address.
    library.allowInsecureRequests(configuration);
    // Over plain http or through a proxy only the signature can be trusted.
    library.enableNonRepudiationChecks(configuration);
    return configuration;

    async function discovered(address: string) {
      const found = await library.discovery(new URL(address), settings.clientId, undefined, library.None(), {
        execute: [library.allowInsecureRequests],
        [library.customFetch]: fetch,
      });
      return { ...found.serverMetadata() };
    }
  }

  /** @throws Failure for errors of the provider or the connection, in our terms */
  private async asking<T>(source: OAuth2Source, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const outbound = outboundCause(error);
      this.log.warn("a sign-in source did not do its part", { source: source.name, error: outbound ?? error });
      throw outbound ? new Failure(503, "source.unreachable") : new Forbidden("source.refused");
    }
  }
}

function outboundCause(error: unknown): OutboundFailed | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof OutboundFailed) return at;
  return undefined;
}

function providerOf(source: OAuth2Source): Provider {
  const provider = PROVIDERS.get(source.settings.provider);
  // Only known ones are stored, but a later version may know fewer.
  if (!provider) throw new Failure(503, "source.unreachable");
  return provider;
}

function endpointsOf({ settings }: OAuth2Source, provider: Provider) {
  const own = settings.usesCustomUrls ? settings : undefined;
  return {
    authorization: own?.authorizationUrl || provider.endpoints?.authorization || "",
    token: own?.tokenUrl || provider.endpoints?.token || "",
    profile: own?.profileUrl || provider.endpoints?.profile || "",
    // The default provider's address is wrong for a self-hosted one.
    email: own ? own.emailUrl : (provider.endpoints?.email ?? ""),
  };
}

function plainServer({ authorization, token }: { authorization: string; token: string }) {
  return {
    issuer: new URL(token).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
}

const tenantOf = (address: string, tenant: string) => address.replace("{tenant}", tenant);

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== "");

function readClaims(claims: { readonly sub: string }): Profile {
  return {
    subject: claims.sub,
    nickname: textAt(claims, "nickname") || textAt(claims, "preferred_username"),
    fullName: textAt(claims, "name"),
    email: textAt(claims, "email"),
    isEmailProven: at(claims, "email_verified") === true,
    pictureUrl: textAt(claims, "picture"),
  };
}

/** @throws Forbidden `source.not-admitted` */
function requireClaim(name: string, value: string, claims: unknown): void {
  if (name === "") return;
  const found = valuesOf(at(claims, name));
  if (value === "" ? found.length === 0 : !found.includes(value)) throw new Forbidden("source.not-admitted");
}

/** The values of a claim, single or list. */
function valuesOf(claim: unknown): string[] {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values
    .filter((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    .map(String)
    .filter((value) => value !== "")
    .slice(0, 5_000);
}
