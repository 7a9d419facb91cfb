import { type SQLQueryBindings, Database as Sqlite, type Statement } from "bun:sqlite";

/**
 * The one database. One connection writes, in one thread; workers that need to read open their own with `readonly`.
 * WAL with synchronous=FULL: what a committed transaction wrote survives a power cut.
 */
export class Database {
  private readonly sqlite: Sqlite;
  private depth = 0;
  private afterCommit: (() => void)[] = [];

  constructor(
    readonly path: string,
    options: { readonly?: boolean } = {},
  ) {
    this.sqlite = options.readonly
      ? new Sqlite(path, { readonly: true, strict: true })
      : new Sqlite(path, { create: true, strict: true });
    this.sqlite.run("PRAGMA busy_timeout = 5000");
    if (!options.readonly) {
      this.sqlite.run("PRAGMA journal_mode = WAL");
      this.sqlite.run("PRAGMA synchronous = FULL");
    }
    this.sqlite.run("PRAGMA foreign_keys = ON");
    this.sqlite.run("PRAGMA cache_size = -8000");
    this.sqlite.run("PRAGMA temp_store = MEMORY");
  }

  /** A prepared statement, kept by its text: pass constant text only, values as parameters, lists by `json_each(?)`. */
  query<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    return this.sqlite.query<Row, SQLQueryBindings[]>(sql);
  }

  /** Several statements at once, for migrations and pragmas. */
  execute(sql: string): void {
    this.sqlite.run(sql);
  }

  /**
   * Runs `work` in a transaction that holds the write lock from its first line, and answers what it answers.
   * Inside another transaction it joins that one. `work` must be synchronous: at an await it would commit half-done.
   */
  transaction<T>(work: () => T extends Promise<unknown> ? never : T): T {
    if (this.depth > 0) return work();
    this.sqlite.run("BEGIN IMMEDIATE");
    this.depth++;
    let result: T;
    try {
      result = work();
      this.sqlite.run("COMMIT");
    } catch (error) {
      this.afterCommit = [];
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
      throw error;
    } finally {
      this.depth--;
    }
    for (const done of this.afterCommit.splice(0)) done();
    return result;
  }

  /** Calls `done` once the running transaction is durable; at once when there is none. */
  onCommit(done: () => void): void {
    if (this.depth > 0) this.afterCommit.push(done);
    else done();
  }

  /** A consistent copy of everything committed, in a file of its own. */
  copyTo(path: string): void {
    const copier = new Sqlite(this.path, { readonly: true });
    try {
      copier.query("VACUUM INTO ?").run(path);
    } finally {
      copier.close();
    }
  }

  close(): void {
    this.sqlite.close();
  }
}

/** Whether an error is a violated UNIQUE constraint on that column (`users.lower_login`). */
export function violatesUnique(error: unknown, column: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "SQLITE_CONSTRAINT_UNIQUE" &&
    error.message.includes(column)
  );
}
