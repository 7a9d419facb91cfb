import type { Credentials } from "../access/credentials.ts";
import { anonymous, type Principal } from "../access/principal.ts";
import { hasScope, parseScopes, scopeNames } from "../access/scopes.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Unauthorised } from "../kernel/errors.ts";
import { hmacSha256 } from "../kernel/ids.ts";

/** The claims of a token; anonymous callers have the user ID `NOBODY`. */
interface Claims {
  readonly UserID: number;
  /** The scope of the token used to request it; empty: no restriction. */
  readonly Scope: string;
  readonly TokenID?: number;
  readonly Issued?: { readonly kind: string; readonly id: number };
  readonly IsJob?: boolean;
}

const NOBODY = -1;
export const LIFE_SECONDS = 86_400;

export interface PackageTokenParts {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly identity: IdentityService;
  /** The site's secret. */
  readonly secret: string;
}

/**
 * Tokens that clients of some registries request first and then send with every request (contract packages.md 3). A
 * token is valid only as long as the account and the token used to request it; it grants no more than that token.
 */
export class PackageTokens {
  private readonly key: Uint8Array;

  constructor(private readonly parts: PackageTokenParts) {
    this.key = new TextEncoder().encode(hmacSha256(parts.secret, "tokens of package registries", "hex"));
  }

  /** @throws Unauthorised if the principal may not even read packages */
  async issue(principal: Principal): Promise<string> {
    if (!hasScope(principal, "package", "read") || !this.isUsable(principal))
      throw new Unauthorised("packages.needs-access", { params: { owner: "public" } });
    const { SignJWT } = await import("jose");
    const now = Math.floor(this.parts.clock() / 1000);
    const { issuedToken, scope, tokenId, user, via } = principal;
    const claims: Claims = {
      UserID: user?.id ?? NOBODY,
      Scope: scope ? scopeNames(scope).join(",") : "",
      ...(tokenId === undefined ? {} : { TokenID: tokenId }),
      ...(issuedToken === undefined ? {} : { Issued: issuedToken }),
      ...(via === "job" ? { IsJob: true } : {}),
    };
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setNotBefore(now)
      .setExpirationTime(now + LIFE_SECONDS)
      .sign(this.key);
  }

  /** The principal of one of these tokens; undefined if there is none, or it is no longer valid. */
  async identify({ authorization, forRegistry }: Credentials): Promise<Principal | undefined> {
    const [scheme = "", token = ""] = authorization?.trim().split(/\s+/) ?? [];
    if (!forRegistry || !/^(bearer|token)$/i.test(scheme) || token.split(".").length !== 3) return undefined;
    const claims = await this.claimsOf(token);
    if (!claims) return undefined;
    const { Issued: issuedToken, IsJob: isJob, Scope: scope, TokenID: tokenId, UserID: userId } = claims;
    const restricted = scope === "" ? undefined : parseScopes(scope.split(","));
    if (userId === NOBODY) return { ...anonymous, via: "token", scope: restricted };
    const user = this.parts.identity.byId(userId);
    if (!user) return undefined;
    const { authenticator } = this.parts;
    const via = isJob ? "job" : "token";
    const repoCredential = issuedToken && authenticator.repoCredentialOf(issuedToken);
    const scoped = { scope: restricted, tokenId, issuedToken, repoCredential };
    return authenticator.refreshed({ ...anonymous, user, via, ...scoped });
  }

  /** Whether the account may act at all; anonymous callers may. */
  isUsable({ user, via }: Principal): boolean {
    return !user || via === "job" || this.parts.identity.accountProblem(user) === undefined;
  }

  private async claimsOf(token: string): Promise<Claims | undefined> {
    const { errors, jwtVerify } = await import("jose");
    try {
      const { payload } = await jwtVerify<Claims>(token, this.key, {
        algorithms: ["HS256"],
        currentDate: new Date(this.parts.clock()),
      });
      return typeof payload.UserID === "number" ? payload : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
