import { accountOf, type Principal } from "../../access/principal.ts";
import { administersSite, requireAccount } from "../../access/requirements.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { NotFound } from "../../kernel/errors.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { Session } from "../types.ts";
import type { OpenedLucia } from "./lucia.ts";
import {
  deleteSession,
  deleteSessionsOf,
  deleteSessionsOver,
  findSession,
  markSessionUsed,
  sessionsOf,
  shortenSessions,
} from "./store.ts";

const DAY_MS = 86_400_000;
/** The minimum interval between writes of a session's last-used time. */
const USE_STEP_MS = 60_000;

/**
 * Browser sessions. lucia stores the rows and their expiry. The cookie holds a random secret and the row its SHA-256,
 * so a copy of the database opens no session.
 */
export class SessionService {
  private opened: OpenedLucia | undefined;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
    private readonly options: { readonly days: number },
  ) {}

  /**
   * Opens a session for an authenticated account and returns the secret for the cookie.
   * @param sourceId the provider that vouched for it
   */
  async open(
    userId: number,
    from: { address: string; userAgent: string },
    sourceId?: number,
  ): Promise<{ secret: string; session: Session }> {
    const secret = randomHex(32);
    const id = sha256Hex(secret);
    const lucia = await this.lucia();
    await lucia.createSession(
      userId,
      {
        created_at: this.clock(),
        last_used_at: this.clock(),
        address: from.address,
        user_agent: from.userAgent.slice(0, 200),
        source_id: sourceId ?? null,
      },
      { sessionId: id },
    );
    const session = findSession(this.db, id);
    if (!session) throw new Error("the session was not stored");
    return { secret, session };
  }

  /** The session of that cookie; undefined if unknown or expired. `renewed`: send the cookie again. */
  async validate(secret: string): Promise<{ userId: number; sessionId: string; renewed: boolean } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(secret)) return undefined;
    const stored = findSession(this.db, sha256Hex(secret));
    if (!stored) return undefined;
    const { id, lastUsedAt, userId } = stored;
    const isYoung = stored.expiresAt - this.clock() > (this.options.days * DAY_MS) / 2;
    // In the first half of its life a session needs no renewal or ending, and lucia would repeat the query just made.
    const session = isYoung ? { fresh: false } : (await (await this.lucia()).validateSession(id)).session;
    if (!session) return undefined;
    if (this.clock() - lastUsedAt > USE_STEP_MS) this.markUsed(id);
    return { userId, sessionId: id, renewed: session.fresh };
  }

  /** Reads must keep working when the disk is full; the time of use matters less. */
  private markUsed(id: string): void {
    try {
      markSessionUsed(this.db, id, this.clock());
    } catch (error) {
      if (diskTrouble(error) === undefined) throw error;
    }
  }

  /** The sessions of an account, newest first. @throws Forbidden neither the account nor a site administrator */
  list(principal: Principal, userId: number): Session[] {
    requireAccount(principal, userId, "read");
    return sessionsOf(this.db, userId, this.clock());
  }

  /**
   * Ends a session and whatever is listening with it. @throws NotFound unknown or another account's,
   * indistinguishably
   */
  close(principal: Principal, sessionId: string): void {
    const session = findSession(this.db, sessionId);
    if (!session || (session.userId !== principal.user?.id && !administersSite(principal))) throw new NotFound();
    requireAccount(principal, session.userId);
    this.db.transaction(() => {
      deleteSession(this.db, sessionId);
      this.tellEnded(session.userId);
    });
  }

  /** The provider that vouched for the current session; undefined if none did. */
  sourceOf({ sessionId }: Principal): number | undefined {
    return sessionId === undefined ? undefined : findSession(this.db, sessionId)?.sourceId;
  }

  /** Signs out the current session; does nothing when the request came without one. */
  signOut(principal: Principal): void {
    const { sessionId } = principal;
    if (sessionId === undefined) return;
    this.db.transaction(() => {
      this.close(principal, sessionId);
      this.audit.append(principal, "sign-out", accountOf(principal), {});
    });
  }

  /** Ends the caller's sessions except the current one. */
  closeOthers(principal: Principal): void {
    const { id } = accountOf(principal);
    requireAccount(principal, id);
    this.db.transaction(() => {
      this.closeAllOf(id, principal.sessionId);
      this.audit.append(principal, "sessions-ended", accountOf(principal), {});
    });
  }

  /**
   * Ends all of a user's sessions except `except`: after a password change or on deactivation. Checks no permission;
   * joins a running transaction.
   */
  closeAllOf(userId: number, except?: string): void {
    this.db.transaction(() => {
      deleteSessionsOf(this.db, userId, except ?? "");
      this.tellEnded(userId);
    });
  }

  /** Whether a session may still be used; checked while it is listening. */
  isOpen(userId: number, sessionId: string): boolean {
    const session = findSession(this.db, sessionId);
    return session !== undefined && session.userId === userId && session.expiresAt > this.clock();
  }

  private tellEnded(userId: number): void {
    this.outbox.append("access.changed", { ownerId: userId }, { userId });
  }

  sweep(): void {
    const now = this.clock();
    deleteSessionsOver(this.db, now);
    shortenSessions(this.db, now + this.options.days * DAY_MS);
  }

  shutDown(): void {
    this.opened?.connection.close();
  }

  /** Loaded for the first cookie: library and connection cost two milliseconds of startup. */
  private async lucia(): Promise<OpenedLucia["lucia"]> {
    if (this.opened) return this.opened.lucia;
    const { openLucia } = await import("./lucia.ts");
    this.opened ??= openLucia(this.db.path, this.options.days);
    return this.opened.lucia;
  }
}
