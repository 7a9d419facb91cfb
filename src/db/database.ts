import { type SQLQueryBindings, Database as Sqlite, type Statement } from "bun:sqlite";
import type { CrashPoint } from "../kernel/crash.ts";
import { isFailedFlush } from "../kernel/disk.ts";
import { WritesStopped } from "../kernel/errors.ts";

export interface DatabaseOptions {
  readonly readonly?: boolean;
  readonly crash?: CrashPoint;
  /** Hears what went wrong after a commit, which stays a commit, and why writes were stopped. */
  readonly onError?: (message: string, error: unknown) => void;
}

/** Parameters, and what they are not looked for in: texts and comments. */
const PARAMETERS = /'(?:[^']|'')*'|--[^\n]*|\$\w+|\?/g;

/**
 * SQLite's planner looks at the integers that are bound to parameters (`sqlite3ExprIsInteger`), and a statement it did so
 * for is planned again each time they are bound: 20 microseconds for each thousand characters, more than most statements
 * take to run. It does not look behind a plus, which does nothing else.
 */
function planOnce(sql: string): string {
  return sql.replace(PARAMETERS, (found) => (found.startsWith("$") || found === "?" ? `+${found}` : found));
}

/**
 * The one database. One connection writes, in one thread; workers that need to read open their own with `readonly`.
 * WAL with synchronous=FULL: what a committed transaction wrote survives a power cut.
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

  /** A prepared statement, cached by its text: pass constant text only, values as parameters, lists by `json_each(?)`. */
  query<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    const cached = this.statements.get(sql);
    if (cached) return cached as Statement<Row, SQLQueryBindings[]>;
    const statement = this.sqlite.query<Row, SQLQueryBindings[]>(planOnce(sql));
    this.statements.set(sql, statement);
    return statement;
  }

  /** Forgets the pages that it holds; they are read again when they are asked for. */
  giveBackMemory(): void {
    this.sqlite.run("PRAGMA shrink_memory");
  }

  /** Several statements at once, for migrations and pragmas. */
  execute(sql: string): void {
    this.sqlite.run(sql);
  }

  /**
   * Runs `work` in a transaction that holds the write lock from its first line, and answers what it answers.
   * Inside another transaction it joins that one. `work` must be synchronous: at an await it would commit half-done.
   * When it throws nothing was committed; what fails after the commit is reported, not thrown.
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
   * Runs `work` inside the running transaction so that it alone is undone when it throws, with what it asked for
   * `beforeCommit` and `onCommit`; the transaction may go on. An error of the disk may have ended the transaction itself: pass it on.
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
   * A flush to the device failed, here or of a file: from now on everything that writes is refused, and reading goes
   * on. A second flush that succeeds would prove nothing, so only a new start, which reads what is really there, ends it.
   */
  stopWrites(cause: unknown): void {
    if (this.stopped) return;
    this.stopped = true;
    this.sqlite.run("PRAGMA query_only = ON");
    this.options.onError?.("the disk failed to keep what was written; writes are stopped", cause);
  }

  /** Rows changed since the database was opened: whoever finds the same number later knows that nothing was written. */
  get changes(): number {
    return this.sqlite.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0;
  }

  /** Another one as soon as anything was written, here, by another connection or by another process. */
  get version(): string {
    const others = this.sqlite.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
    return `${this.changes} ${others}`;
  }

  /** Whether a transaction is running: what is read now may yet be taken back. */
  get isInTransaction(): boolean {
    return this.depth > 0;
  }

  /** Calls `work` as the last of the running transaction: it sees all that the transaction changed, and is part of it. */
  beforeCommit(work: () => void): void {
    if (this.depth === 0) throw new Error("there is no transaction that ends");
    this.beforeEnd.push(work);
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

/** Whether SQLite found that its file is not as it wrote it, or none of its files. */
export function isDamagedDatabase(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}

/** Whether something was to be stored about a row that is not there, or not any more. */
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
