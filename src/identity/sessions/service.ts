import { Database as Sqlite } from "bun:sqlite";
import { BunSQLiteAdapter } from "@lucia-auth/adapter-sqlite";
import { Lucia, TimeSpan } from "lucia";
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
import {
  deleteSession,
  deleteSessionsOf,
  deleteSessionsOver,
  findSession,
  markSessionUsed,
  sessionsOf,
} from "./store.ts";

/** Times of use are written at most this often. */
const USE_STEP_MS = 60_000;

declare module "lucia" {
  interface Register {
    Lucia: Lucia<{ lastUsedAt: number }>;
    UserId: number;
    DatabaseSessionAttributes: { created_at: number; last_used_at: number; address: string; user_agent: string };
  }
}

/**
 * Browser sessions. The only module that knows lucia, which keeps the rows and their expiry. The cookie holds a random
 * secret and the row its SHA-256, so a copy of the database opens no session.
 */
export class SessionService {
  private readonly connection: Sqlite;
  private readonly lucia: Lucia<{ lastUsedAt: number }>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
    options: { readonly days: number },
  ) {
    // lucia's adapter wants a bun:sqlite connection of its own; writes are single statements in the same thread.
    this.connection = new Sqlite(db.path, { strict: true });
    this.connection.run("PRAGMA busy_timeout = 5000");
    this.connection.run("PRAGMA foreign_keys = ON");
    this.connection.run("PRAGMA synchronous = FULL");
    this.lucia = new Lucia(new BunSQLiteAdapter(this.connection, { user: "session_users", session: "sessions" }), {
      sessionExpiresIn: new TimeSpan(options.days, "d"),
      getSessionAttributes: (row) => ({ lastUsedAt: row.last_used_at }),
    });
  }

  /** Opens a session for an account that has shown who it is, and answers the secret for the cookie. */
  async open(
    userId: number,
    from: { address: string; userAgent: string },
  ): Promise<{ secret: string; session: Session }> {
    const secret = randomHex(32);
    const id = sha256Hex(secret);
    await this.lucia.createSession(
      userId,
      {
        created_at: this.clock(),
        last_used_at: this.clock(),
        address: from.address,
        user_agent: from.userAgent.slice(0, 200),
      },
      { sessionId: id },
    );
    const session = findSession(this.db, id);
    if (!session) throw new Error("the session was not stored");
    return { secret, session };
  }

  /** The session of that cookie; undefined when it is unknown or over. `renewed`: send the cookie again. */
  async validate(secret: string): Promise<{ userId: number; sessionId: string; renewed: boolean } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(secret)) return undefined;
    const { session } = await this.lucia.validateSession(sha256Hex(secret));
    if (session && this.clock() - session.lastUsedAt > USE_STEP_MS) this.markUsed(session.id);
    return session ? { userId: session.userId, sessionId: session.id, renewed: session.fresh } : undefined;
  }

  /** Reading goes on when the disk is full; the time of use is not worth more. */
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

  /** Ends one; what listens with it ends at once. @throws NotFound unknown, or another account's, which look the same */
  close(principal: Principal, sessionId: string): void {
    const session = findSession(this.db, sessionId);
    if (!session || (session.userId !== principal.user?.id && !administersSite(principal))) throw new NotFound();
    requireAccount(principal, session.userId);
    this.db.transaction(() => {
      deleteSession(this.db, sessionId);
      this.tellEnded(session.userId);
    });
  }

  /** Signs out the session that asks; nothing when the request came without one. */
  signOut(principal: Principal): void {
    const { sessionId } = principal;
    if (sessionId === undefined) return;
    this.db.transaction(() => {
      this.close(principal, sessionId);
      this.audit.append(principal, "sign-out", accountOf(principal), {});
    });
  }

  /** Ends the sessions of the own account but the one that asks. */
  closeOthers(principal: Principal): void {
    const { id } = accountOf(principal);
    requireAccount(principal, id);
    this.db.transaction(() => {
      this.closeAllOf(id, principal.sessionId);
      this.audit.append(principal, "sessions-ended", accountOf(principal), {});
    });
  }

  /**
   * Ends all of a user's sessions but `except`: after a password change, on deactivation. For what has decided that
   * already; joins a running transaction.
   */
  closeAllOf(userId: number, except?: string): void {
    this.db.transaction(() => {
      deleteSessionsOf(this.db, userId, except ?? "");
      this.tellEnded(userId);
    });
  }

  /** Whether a session may still be used; asked while one listens. */
  isOpen(userId: number, sessionId: string): boolean {
    const session = findSession(this.db, sessionId);
    return session !== undefined && session.userId === userId && session.expiresAt > this.clock();
  }

  private tellEnded(userId: number): void {
    this.outbox.append("access.changed", { ownerId: userId }, { userId });
  }

  sweep(): void {
    deleteSessionsOver(this.db, this.clock());
  }

  shutDown(): void {
    this.connection.close();
  }
}
