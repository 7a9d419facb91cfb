import type { Database } from "../../db/database.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { changedSince, listsVersion } from "./list-store.ts";

interface Kept<Value> {
  /** Of the lists, when the value was read or last taken up to. */
  readonly version: number;
  readonly value: Value;
}

/**
 * Remembers what was read of all repositories, and takes in what changed since: a change costs what it changes, however
 * many repositories there are. Where more changed than is known of, it is read again.
 */
export class KeptInStep<Value> {
  private readonly answers: Cache<string, Kept<Value>>;

  constructor(
    private readonly db: Database,
    caches: CacheBudget,
    weigh: (value: Value) => number,
  ) {
    this.answers = caches.cache(({ value }) => weigh(value));
  }

  /**
   * @param question everything that the value depends on besides the database
   * @param update the value with these repositories as they are now; it makes another one
   */
  once(question: string, read: () => Value, update: (value: Value, changed: readonly number[]) => Value): Value {
    // What is read in a transaction may be taken back.
    if (this.db.isInTransaction) return read();
    const version = listsVersion(this.db);
    const kept = this.answers.get(question);
    if (kept?.version === version) return kept.value;
    const changed = kept && changedSince(this.db, kept.version, version);
    let value = kept && changed ? update(kept.value, changed) : read();
    // Another process may have written meanwhile, so that places in the list were compared with what is no more.
    if (kept && changed && listsVersion(this.db) !== version) value = read();
    this.answers.set(question, { version, value });
    return value;
  }
}
