import type { Cache, CacheBudget } from "../kernel/cache.ts";
import type { Database } from "./database.ts";

/**
 * Caches results read from the database until anything at all is written to it, or until `versionOf` changes. For lists
 * that are requested often and must count rows they do not show.
 */
export class UntilWritten<Value> {
  private readonly answers: Cache<string, Value>;
  private version = "";

  /** @param versionOf returns a different value whenever a result may have changed */
  constructor(
    private readonly db: Database,
    caches: CacheBudget,
    weigh: (value: Value) => number,
    private readonly versionOf: (db: Database) => string = ({ version }) => version,
  ) {
    this.answers = caches.cache(weigh);
  }

  /** @param question a key for everything that the answer depends on besides the database */
  once(question: string, read: () => Value): Value {
    // Data read inside a transaction may be rolled back.
    if (this.db.isInTransaction) return read();
    const version = this.versionOf(this.db);
    if (version !== this.version) {
      this.answers.clear();
      this.version = version;
    }
    const cached = this.answers.get(question);
    if (cached !== undefined) return cached;
    const value = read();
    this.answers.set(question, value);
    return value;
  }
}
