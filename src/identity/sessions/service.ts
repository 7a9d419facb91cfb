import { Database as Sqlite } from "bun:sqlite";
import { BunSQLiteAdapter } from "@lucia-auth/adapter-sqlite";
import { Lucia, TimeSpan } from "lucia";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { Session } from "../types.ts";
import { deleteSessionsOf, deleteSessionsOver, findSession, sessionsOf } from "./store.ts";

declare module "lucia" {
  interface Register {
    Lucia: Lucia;
    UserId: number;
    DatabaseSessionAttributes: { created_at: number; address: string; user_agent: string };
  }
}

/**
 * Browser sessions. The only module that knows lucia, which keeps the rows and their expiry. The cookie holds a random
 * secret and the row its SHA-256, so a copy of the database opens no session.
 */
export class SessionService {
  private readonly connection: Sqlite;
  private readonly lucia: Lucia;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    options: { readonly days: number },
  ) {
    // lucia's adapter wants a bun:sqlite connection of its own; writes are single statements in the same thread.
    this.connection = new Sqlite(db.path, { strict: true });
    this.connection.run("PRAGMA busy_timeout = 5000");
    this.connection.run("PRAGMA foreign_keys = ON");
    this.connection.run("PRAGMA synchronous = FULL");
    this.lucia = new Lucia(new BunSQLiteAdapter(this.connection, { user: "session_users", session: "sessions" }), {
      sessionExpiresIn: new TimeSpan(options.days, "d"),
      getSessionAttributes: (row) => ({ createdAt: row.created_at }),
    });
  }

  /** Opens a session and answers the secret for the cookie. */
  async open(
    userId: number,
    from: { address: string; userAgent: string },
  ): Promise<{ secret: string; session: Session }> {
    const secret = randomHex(32);
    const id = sha256Hex(secret);
    await this.lucia.createSession(
      userId,
      { created_at: this.clock(), address: from.address, user_agent: from.userAgent.slice(0, 200) },
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
    return session ? { userId: session.userId, sessionId: session.id, renewed: session.fresh } : undefined;
  }

  async close(sessionId: string): Promise<void> {
    await this.lucia.invalidateSession(sessionId);
  }

  /** Ends all of a user's sessions but `except`: after a password change, on deactivation. Joins a running transaction. */
  closeAllOf(userId: number, except?: string): void {
    deleteSessionsOf(this.db, userId, except ?? "");
  }

  list(userId: number): Session[] {
    return sessionsOf(this.db, userId, this.clock());
  }

  sweep(): void {
    deleteSessionsOver(this.db, this.clock());
  }

  shutDown(): void {
    this.connection.close();
  }
}
