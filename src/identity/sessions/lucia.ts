import { type SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { BunSQLiteAdapter } from "@lucia-auth/adapter-sqlite";
import { Lucia, TimeSpan } from "lucia";

/** The only module that knows lucia. */

declare module "lucia" {
  interface Register {
    Lucia: Lucia<{ lastUsedAt: number }>;
    UserId: number;
    DatabaseSessionAttributes: {
      created_at: number;
      last_used_at: number;
      address: string;
      user_agent: string;
      source_id: number | null;
    };
  }
}

export interface OpenedLucia {
  readonly lucia: Lucia<{ lastUsedAt: number }>;
  readonly connection: Sqlite;
}

/**
 * lucia prepares a statement for each call, and makes two calls per request with a cookie; here each is parsed once.
 */
class CachedStatements extends Sqlite {
  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    return this.query<Row, Params>(sql);
  }
}

/** lucia's adapter requires its own bun:sqlite connection; its writes are single statements in the same thread. */
export function openLucia(databasePath: string, days: number): OpenedLucia {
  const connection = new CachedStatements(databasePath, { strict: true });
  connection.run("PRAGMA busy_timeout = 5000");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA synchronous = FULL");
  const lucia = new Lucia(new BunSQLiteAdapter(connection, { user: "session_users", session: "sessions" }), {
    sessionExpiresIn: new TimeSpan(days, "d"),
    getSessionAttributes: (row) => ({ lastUsedAt: row.last_used_at }),
  });
  return { lucia, connection };
}
