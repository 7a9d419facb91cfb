import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount } from "../../access/requirements.ts";
import { isNarrower, parseScopes, scopeNames, type TokenScope, UnknownScope } from "../../access/scopes.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { BadRequest, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { AccessToken } from "../types.ts";
import { checkTokenName } from "../values.ts";
import {
  deleteToken,
  findToken,
  findTokenByHash,
  findTokenById,
  insertToken,
  markTokenUsed,
  replaceToken,
  tokensOf,
} from "./store.ts";

/** The minimum interval between writes of a last-used time, so that a busy token does not write on every request. */
const USE_STEP_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;

/** Personal access tokens: 160 random bits, stored as SHA-256, shown once (contract identity.md 2.4). */
export class TokenService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a token for `user`. A `principal` that authenticated with a token may only create a narrower one.
   * @param days until it expires, but never later than the caller's own; absent: it does not expire
   * @throws Forbidden another's account, or broader than the caller's own; ValidationFailed no name, or a long one,
   * bad days; BadRequest unknown or no scope, name taken
   */
  create(
    principal: Principal,
    user: User,
    name: string,
    scopes: readonly string[],
    days?: number,
  ): { token: AccessToken; secret: string } {
    requireAccount(principal, user.id);
    checkTokenName(name);
    const expiresAt = this.expiryOf(principal, days);
    let scope: TokenScope;
    try {
      scope = parseScopes(scopes);
    } catch (error) {
      if (error instanceof UnknownScope)
        throw new BadRequest("token.unknown-scope", { field: "scopes", params: { reason: error.message } });
      throw error;
    }
    if (Object.keys(scope.categories).length === 0) throw new BadRequest("token.no-scope", { field: "scopes" });
    if (principal.scope) {
      if (!isNarrower(scope, principal.scope)) throw new Forbidden("token.broader-than-own", { field: "scopes" });
      if (principal.scope.publicOnly) scope = { ...scope, publicOnly: true };
    }
    const secret = randomHex(20);
    const token = this.db.transaction(() => {
      if (findToken(this.db, user.id, { name })) throw new BadRequest("token.name-taken", { field: "name" });
      this.audit.append(principal, "token-created", user, { name });
      return insertToken(this.db, {
        userId: user.id,
        name,
        hash: sha256Hex(secret),
        lastEight: secret.slice(-8),
        scopes: scopeNames(scope),
        createdAt: this.clock(),
        expiresAt,
      });
    });
    return { token, secret };
  }

  /** Replaces a token with a new one of the same name, scopes and expiry. @throws Forbidden; NotFound */
  regenerate(principal: Principal, user: User, id: number): { token: AccessToken; secret: string } {
    requireAccount(principal, user.id);
    const secret = randomHex(20);
    const token = this.db.transaction(() => {
      const found = findToken(this.db, user.id, { id });
      if (!found) throw new NotFound();
      this.audit.append(principal, "token-regenerated", user, { name: found.name });
      replaceToken(this.db, id, sha256Hex(secret), secret.slice(-8));
      this.outbox.append("access.changed", { ownerId: user.id }, { userId: user.id });
      return found;
    });
    return { token, secret };
  }

  /** Newest first. @throws Forbidden neither the account nor a site administrator */
  list(principal: Principal, user: User, paging: Paging): Slice<AccessToken> {
    requireAccount(principal, user.id, "read");
    return tokensOf(this.db, user.id, paging.limit, paging.offset);
  }

  /**
   * Revokes a token and ends whatever is listening with it.
   * @param reference a number is an id, anything else a name
   * @throws Forbidden neither the account nor a site administrator; NotFound
   */
  remove(principal: Principal, user: User, reference: string): void {
    requireAccount(principal, user.id);
    const token = findToken(
      this.db,
      user.id,
      /^\d{1,15}$/.test(reference) ? { id: Number(reference) } : { name: reference },
    );
    if (!token) throw new NotFound("token.unknown");
    this.revoke(principal, user, token);
  }

  /** The token that authenticated the request. @throws NotFound it was authenticated some other way */
  current(principal: Principal): AccessToken {
    if (principal.issuedToken) throw new NotFound("token.unknown");
    const token = principal.tokenId === undefined ? undefined : findTokenById(this.db, principal.tokenId);
    if (!token) throw new NotFound("token.invalid");
    return token;
  }

  /** Revokes the token that authenticated the request. @throws NotFound it was authenticated some other way */
  removeCurrent(principal: Principal): void {
    this.revoke(principal, accountOf(principal), this.current(principal));
  }

  private revoke(principal: Principal, user: User, { id, userId, name }: AccessToken): void {
    this.db.transaction(() => {
      this.audit.append(principal, "token-deleted", user, { name });
      deleteToken(this.db, id);
      this.outbox.append("access.changed", { ownerId: userId }, { userId });
    });
  }

  /** The token with that secret, marked as used; undefined if there is none. */
  use(secret: string): AccessToken | undefined {
    if (!/^[0-9a-f]{40}$/.test(secret)) return undefined;
    const now = this.clock();
    const token = findTokenByHash(this.db, sha256Hex(secret), now);
    if (token && (token.lastUsedAt === undefined || now - token.lastUsedAt > USE_STEP_MS)) this.markUsed(token, now);
    return token;
  }

  /** @throws ValidationFailed */
  private expiryOf({ tokenId }: Principal, days: number | undefined): number | undefined {
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
      throw new ValidationFailed("token.bad-expiry", { field: "expires", params: { max: MAX_DAYS } });
    const requested = days === undefined ? undefined : this.clock() + days * DAY_MS;
    const own = tokenId === undefined ? undefined : findTokenById(this.db, tokenId)?.expiresAt;
    return own === undefined ? requested : Math.min(own, requested ?? own);
  }

  /** Reads must keep working when the disk is full; the time of use matters less. */
  private markUsed(token: AccessToken, now: number): void {
    try {
      markTokenUsed(this.db, token.id, now);
    } catch (error) {
      if (diskTrouble(error) === undefined) throw error;
    }
  }

  byId(id: number): AccessToken | undefined {
    const token = findTokenById(this.db, id);
    return token && (token.expiresAt === undefined || token.expiresAt > this.clock()) ? token : undefined;
  }
}
