import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { FoundToken, TokenSource } from "../../identity/authenticate.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { equalSecrets, sha256Hex } from "../../kernel/ids.ts";
import { findCode, redeemCode, type StoredCode, setFamily } from "../codes/store.ts";
import { advanceFamily, deleteFamily, findFamily, findGrantById, insertFamily } from "../grants/store.ts";
import { OAuthError } from "../oauth-error.ts";
import { hasItem, tokenScopeOf } from "../scope.ts";
import type { SigningKeys } from "../signing-keys/service.ts";
import type { Application, Grant, TokenFamily } from "../types.ts";

const ACCESS = 0;
const REFRESH = 1;

/** A response of the token endpoint (RFC 6749 section 5.1). */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly id_token?: string;
}

/** The subject and audience of an ID token. */
export interface IdTokenRequest {
  readonly grant: Grant;
  readonly clientId: string;
  readonly nonce: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

export interface TokenOptions {
  readonly accessMs: number;
  readonly refreshMs: number;
}

export interface TokenParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly identity: IdentityService;
  readonly keys: SigningKeys;
  /** Creates the ID token, for scopes with `openid`. */
  readonly idToken: (request: IdTokenRequest) => Promise<string>;
}

/** A family whose tokens are to be issued. */
interface Due {
  readonly grant: Grant;
  readonly familyId: number;
  readonly generation: number;
  readonly nonce: string;
}

/**
 * Tokens for authorized applications (contract identity.md 6.4). They are signed, and valid only while their family
 * has its row: deleting it invalidates all of them at once.
 */
export class OAuthTokens implements TokenSource {
  readonly kind = "oauth2";

  constructor(
    private readonly parts: TokenParts,
    private readonly options: TokenOptions,
  ) {}

  /** @throws OAuthError; a refused attempt does not consume the code */
  async redeem(
    application: Application,
    request: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
  ): Promise<TokenAnswer> {
    const { db, clock } = this.parts;
    const hash = sha256Hex(request.code);
    const code = findCode(db, hash);
    const grant = code && findGrantById(db, code.grantId);
    if (!code || !grant) throw new OAuthError("unauthorized_client", "client is not authorized");
    if (grant.applicationId !== application.id) throw new OAuthError("invalid_grant", "invalid grant");
    if (code.isRedeemed) {
      // Someone else has the code, and may have been the first to redeem it (RFC 6749 section 4.1.2).
      if (code.familyId !== undefined) this.end(code.familyId, grant.userId);
      throw new OAuthError("unauthorized_client", "client is not authorized");
    }
    if (!fitsChallenge(code, request.verifier))
      throw new OAuthError("unauthorized_client", "failed PKCE code challenge");
    if (code.expiresAt <= clock()) throw new OAuthError("invalid_grant", "authorization code expired");
    if (request.redirectUri !== code.redirectUri)
      throw new OAuthError("invalid_grant", "redirect_uri differs from the original authorization request");
    this.requireUsable(grant.userId);
    const due = db.transaction(() => {
      if (!redeemCode(db, hash)) throw new OAuthError("invalid_grant", "authorization code already used");
      const made = this.newFamily(grant, code.nonce);
      setFamily(db, hash, made.familyId);
      return made;
    });
    return this.answer(application, due);
  }

  /** For a grant just given, without a code. @throws OAuthError */
  async issue(application: Application, grantId: number): Promise<TokenAnswer> {
    const grant = findGrantById(this.parts.db, grantId);
    if (!grant) throw new OAuthError("invalid_grant", "grant does not exist");
    this.requireUsable(grant.userId);
    return this.answer(
      application,
      this.parts.db.transaction(() => this.newFamily(grant, "")),
    );
  }

  /**
   * Issues a new pair for a refresh token, which is valid once. Reuse means that it was copied, by an unknown party,
   * so its whole family ends (RFC 9700 section 4.14.2).
   * @throws OAuthError
   */
  async refresh(application: Application, token: string): Promise<TokenAnswer> {
    const { clock, db } = this.parts;
    const claims = await this.claimsOf(token);
    if (claims?.kind !== REFRESH) throw new OAuthError("unauthorized_client", "unable to parse refresh token");
    const now = clock();
    const family = findFamily(db, claims.familyId, now);
    if (!family) throw new OAuthError("invalid_grant", "grant does not exist");
    const { grant } = family;
    if (family.clientId !== application.clientId)
      throw new OAuthError("invalid_grant", "refresh token belongs to a different client");
    this.requireUsable(grant.userId);
    const generation = db.transaction(() =>
      advanceFamily(
        db,
        { id: family.id, generation: claims.generation, grantId: grant.id },
        { now, expiresAt: now + this.options.refreshMs },
      ),
    );
    if (generation === undefined) {
      this.end(family.id, grant.userId);
      throw new OAuthError("unauthorized_client", "token was already used");
    }
    return this.answer(application, { grant, familyId: family.id, generation, nonce: "" });
  }

  /** Ends a token's family, if it is that application's (RFC 7009). */
  async revoke(application: Application, token: string): Promise<void> {
    const family = await this.familyOf(token);
    if (family?.clientId === application.clientId) this.end(family.id, family.grant.userId);
  }

  /** Describes a token to the application it was issued to (RFC 7662); undefined if it is not valid. */
  async inspect(application: Application, token: string): Promise<{ grant: Grant; expiresAt: number } | undefined> {
    const claims = await this.claimsOf(token);
    const family = claims && findFamily(this.parts.db, claims.familyId, this.parts.clock());
    if (family?.clientId !== application.clientId) return undefined;
    if (claims?.kind === REFRESH && claims.generation !== family.generation) return undefined;
    return this.isUsable(family.grant.userId) ? { grant: family.grant, expiresAt: claims?.expiresAt ?? 0 } : undefined;
  }

  readonly find = async (secret: string): Promise<FoundToken | undefined> => {
    const claims = secret.includes(".") ? await this.claimsOf(secret) : undefined;
    if (claims?.kind !== ACCESS) return undefined;
    const family = findFamily(this.parts.db, claims.familyId, this.parts.clock());
    return family && { id: family.id, userId: family.grant.userId, scope: tokenScopeOf(family.grant.scope) };
  };

  readonly isGood = (familyId: number): boolean =>
    findFamily(this.parts.db, familyId, this.parts.clock()) !== undefined;

  /** The scope of the grant behind a token of this kind. */
  scopeOf(familyId: number): string | undefined {
    return findFamily(this.parts.db, familyId, this.parts.clock())?.grant.scope;
  }

  private newFamily(grant: Grant, nonce: string): Due {
    const now = this.parts.clock();
    const expiresAt = now + this.options.refreshMs;
    const family = insertFamily(this.parts.db, { grantId: grant.id, createdAt: now, expiresAt });
    return { grant, familyId: family.id, generation: family.generation, nonce };
  }

  private async answer(application: Application, { grant, familyId, generation, nonce }: Due): Promise<TokenAnswer> {
    const { clock, idToken, keys } = this.parts;
    const { accessMs, refreshMs } = this.options;
    const iat = Math.floor(clock() / 1000);
    const claims = { gnt: grant.id, fam: familyId, cnt: generation, iat };
    const exp = iat + accessMs / 1000;
    const about = { grant, clientId: application.clientId, nonce, issuedAtSeconds: iat, expiresAtSeconds: exp };
    return {
      access_token: await keys.sign({ ...claims, tt: ACCESS, exp }),
      token_type: "bearer",
      expires_in: accessMs / 1000,
      refresh_token: await keys.sign({ ...claims, tt: REFRESH, exp: iat + refreshMs / 1000 }),
      ...(hasItem(grant.scope, "openid") ? { id_token: await idToken(about) } : {}),
    };
  }

  private end(familyId: number, userId: number): void {
    this.parts.db.transaction(() => {
      deleteFamily(this.parts.db, familyId);
      this.parts.outbox.append("access.changed", { ownerId: userId }, { userId });
    });
  }

  private async familyOf(token: string): Promise<TokenFamily | undefined> {
    const claims = await this.claimsOf(token);
    return claims && findFamily(this.parts.db, claims.familyId, this.parts.clock());
  }

  /** ID tokens are signed with the same keys, but have no kind. */
  private async claimsOf(
    token: string,
  ): Promise<{ kind: unknown; familyId: number; generation: number; expiresAt: number } | undefined> {
    const claims = await this.parts.keys.verified(token);
    const [familyId, generation] = [claims?.["fam"], claims?.["cnt"]];
    if (!claims?.exp || typeof familyId !== "number" || typeof generation !== "number") return undefined;
    return { kind: claims["tt"], familyId, generation, expiresAt: claims.exp };
  }

  /** @throws OAuthError */
  private requireUsable(userId: number): void {
    if (!this.isUsable(userId)) throw new OAuthError("invalid_grant", "the account may not be used");
  }

  private isUsable(userId: number): boolean {
    const user = this.parts.identity.byId(userId);
    return user !== undefined && this.parts.identity.accountProblem(user) === undefined;
  }
}

/** RFC 7636 section 4.6. A verifier without a challenge means that someone else's code was injected (RFC 9700). */
function fitsChallenge({ challenge, challengeMethod }: StoredCode, verifier: string): boolean {
  if (challenge === "" || verifier === "") return challenge === verifier;
  const shown =
    challengeMethod === "S256" ? new Bun.CryptoHasher("sha256").update(verifier).digest("base64url") : verifier;
  return equalSecrets(challenge, shown);
}
