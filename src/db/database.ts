import { type SQLQueryBindings, Database as Sqlite, type Statement } from "bun:sqlite";
import type { CrashPoint } from "../kernel/crash.ts";
import { isFailedFlush } from "../kernel/disk.ts";
import { WritesStopped } from "../kernel/errors.ts";

export interface DatabaseOptions {
  readonly readonly?: boolean;
  readonly crash?: CrashPoint;
  /** Receives errors that occur after a commit, which stands regardless, and the reason why writes were stopped. */
  readonly onError?: (message: string, error: unknown) => void;
}

/** Matches parameters, and the string literals and comments in which they must not be replaced. */
const PARAMETERS = /'(?:[^']|'')*'|--[^\n]*|\$\w+|\?/g;

/**
 * SQLite's planner inspects the integers bound to parameters (`sqlite3ExprIsInteger`), and a statement for which it did
 * so is planned again each time they are bound: 20 microseconds per thousand characters, more than most statements take
 * to run. A unary plus, which has no other effect, prevents that.
 */
function planOnce(sql: string): string {
  return sql.replace(PARAMETERS, (found) => (found.startsWith("$") || found === "?" ? `+${found}` : found));
}

/**
 * The one database. A single connection writes, in one thread; workers that need to read open their own with
 * `readonly`. WAL with synchronous=FULL: a committed transaction survives a power cut.
 */
export class Database {
  private readonly sqlite: Sqlite;
  private depth = 0;
  private readonly statements = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  private beforeEnd: (() => void)[] = [];
  private afterCommit: (() => void)[] = [];
  private stopped = false;

  constructor(
    readonly path: string,
    private readonly options: DatabaseOptions = {},
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

  /**
   * A prepared statement, cached by its text: pass constant text only, values as parameters, lists by `json_each(?)`.
   */
  query<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    const cached = this.statements.get(sql);
    if (cached) return cached as Statement<Row, SQLQueryBindings[]>;
    const statement = this.sqlite.query<Row, SQLQueryBindings[]>(planOnce(sql));
    this.statements.set(sql, statement);
    return statement;
  }

  /** Drops the cached pages; they are read again when needed. */
  giveBackMemory(): void {
    this.sqlite.run("PRAGMA shrink_memory");
  }

  /** Runs several statements at once, for migrations and pragmas. */
  execute(sql: string): void {
    this.sqlite.run(sql);
  }

  /**
   * Runs `work` in a transaction that takes the write lock at the start, and returns its result. Inside another
   * transaction it joins that one. `work` must be synchronous: at an await it would commit half-done. If it throws,
   * nothing is committed; failures after the commit are reported, not thrown.
   * @throws WritesStopped
   */
  transaction<T>(work: () => T extends Promise<unknown> ? never : T): T {
    if (this.depth > 0) return work();
    if (this.stopped) throw new WritesStopped();
    this.sqlite.run("BEGIN IMMEDIATE");
    this.depth++;
    let result: T;
    try {
      result = work();
      for (let last = this.beforeEnd.shift(); last; last = this.beforeEnd.shift()) last();
      this.options.crash?.("commit.before");
      this.sqlite.run("COMMIT");
    } catch (error) {
      this.beforeEnd = [];
      this.afterCommit = [];
      if (isFailedFlush(error)) this.stopWrites(error);
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
      throw error;
    } finally {
      this.depth--;
    }
    this.options.crash?.("commit.after");
    for (const done of this.afterCommit.splice(0)) {
      try {
        done();
      } catch (error) {
        this.options.onError?.("something failed after a commit", error);
      }
    }
    return result;
  }

  /**
   * Runs `work` inside the running transaction so that, if it throws, only its own changes are undone, with its
   * `beforeCommit` and `onCommit` calls; the transaction may continue. A disk error may have ended the transaction
   * itself: rethrow it.
   */
  savepoint<T>(work: () => T extends Promise<unknown> ? never : T): T {
    if (this.depth === 0) throw new Error("a savepoint needs a transaction");
    const ending = this.beforeEnd.length;
    const waiting = this.afterCommit.length;
    this.sqlite.run("SAVEPOINT part");
    try {
      const result = work();
      this.sqlite.run("RELEASE part");
      return result;
    } catch (error) {
      this.beforeEnd.length = ending;
      this.afterCommit.length = waiting;
      if (this.sqlite.inTransaction) {
        this.sqlite.run("ROLLBACK TO part");
        this.sqlite.run("RELEASE part");
      }
      throw error;
    }
  }

  /**
   * Called after a failed flush to the device, by the database or of a file: from now on all writes are refused, while
   * reading continues. A second, successful flush would prove nothing, so only a restart, which reads what is really on
   * disk, ends this state.
   */
  stopWrites(cause: unknown): void {
    if (this.stopped) return;
    this.stopped = true;
    this.sqlite.run("PRAGMA query_only = ON");
    this.options.onError?.("the disk failed to keep what was written; writes are stopped", cause);
  }

  /** Rows changed since the database was opened; if the number is the same later, nothing was written in between. */
  get changes(): number {
    return this.sqlite.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0;
  }

  /** Changes whenever anything is written, by this connection, another one or another process. */
  get version(): string {
    const others = this.sqlite.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
    return `${this.changes} ${others}`;
  }

  /** Whether a transaction is running, so that what is read now may still be rolled back. */
  get isInTransaction(): boolean {
    return this.depth > 0;
  }

  /** Calls `work` at the end of the running transaction: it sees all the transaction's changes and is part of it. */
  beforeCommit(work: () => void): void {
    if (this.depth === 0) throw new Error("there is no transaction that ends");
    this.beforeEnd.push(work);
  }

  /** Calls `done` once the running transaction is durable; immediately if there is none. */
  onCommit(done: () => void): void {
    if (this.depth > 0) this.afterCommit.push(done);
    else done();
  }

  /** Writes a consistent copy of everything committed to a separate file. */
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

/** Whether SQLite reports that its file is corrupt or is not a database. */
export function isDamagedDatabase(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}

/** Whether a write referred to a row that does not exist, or no longer exists. */
export function violatesReference(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_CONSTRAINT_FOREIGNKEY";
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
