import type { Database } from "../../db/database.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { changedSince, listsVersion } from "./list-store.ts";

interface Kept<Value> {
  /** Version of the lists when the value was read or last updated. */
  readonly version: number;
  readonly value: Value;
}

/**
 * Caches what was read about all repositories and applies later changes: an update costs only what changed, however
 * many repositories there are. If not every change is known, everything is read again.
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
   * @param question everything the value depends on besides the database
   * @param update returns a new value with the current state of these repositories
   */
  once(question: string, read: () => Value, update: (value: Value, changed: readonly number[]) => Value): Value {
    // Data read in a transaction may be rolled back.
    if (this.db.isInTransaction) return read();
    const version = listsVersion(this.db);
    const kept = this.answers.get(question);
    if (kept?.version === version) return kept.value;
    const changed = kept && changedSince(this.db, kept.version, version);
    let value = kept && changed ? update(kept.value, changed) : read();
    // Another process may have written meanwhile, so positions in the list were compared with outdated keys.
    if (kept && changed && listsVersion(this.db) !== version) value = read();
    this.answers.set(question, { version, value });
    return value;
  }
}
