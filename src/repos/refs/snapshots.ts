import type { Database } from "../../db/database.ts";
import { refNameOf, withByteNames } from "../../git/refs/names.ts";
import { RefSnapshot } from "../../git/transport/ref-snapshot.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { HIDDEN_REFS } from "./hidden.ts";
import * as store from "./store.ts";

/** Min number of refs worth caching: reading and framing one takes a microsecond. */
const MANY_REFS = 500;
/** A ref with its packets. */
const REF_BYTES = 400;

/**
 * All refs of a folder, with names in the engine's form. A fetch lists them twice, and again for the next commit, so
 * thousands of rows are read only once per version. Not for use inside a transaction, whose changes may be rolled back.
 */
export class RefSnapshots {
  /** All refs of folders with many, as of some version. */
  private readonly remembered: Cache<number, { readonly version: number; readonly refs: RefSnapshot }>;
  /** Snapshots without hidden refs, by the full snapshot. */
  private readonly visibleOf = new WeakMap<RefSnapshot, RefSnapshot>();

  constructor(
    private readonly db: Database,
    caches: CacheBudget,
  ) {
    this.remembered = caches.cache(({ refs }) => refs.refs.length * REF_BYTES);
  }

  /** The current refs. */
  all(folderId: number): RefSnapshot {
    const cached = this.cached(folderId);
    if (cached) return cached;
    const version = store.refsVersion(this.db, folderId);
    const refs = RefSnapshot.of(withByteNames(store.listRefs(this.db, folderId)));
    if (version !== undefined && refs.refs.length >= MANY_REFS) this.remembered.set(folderId, { version, refs });
    return refs;
  }

  /** The same without hidden refs: what clients may see. */
  visible(folderId: number): RefSnapshot {
    const all = this.all(folderId);
    const cached = this.visibleOf.get(all);
    if (cached) return cached;
    const visible = all.without(HIDDEN_REFS);
    this.visibleOf.set(all, visible);
    return visible;
  }

  /** The current refs, if they are cached. */
  cached(folderId: number): RefSnapshot | undefined {
    const cached = this.remembered.get(folderId);
    return cached && cached.version === store.refsVersion(this.db, folderId) ? cached.refs : undefined;
  }

  /** Updates the cache after these refs changed: rereading thousands of rows for each push costs more than the push. */
  forward(folderId: number, names: readonly string[]): void {
    const cached = this.remembered.get(folderId);
    const version = store.refsVersion(this.db, folderId);
    if (!cached || version !== cached.version + 1) return;
    const now = new Map(
      names.map((name) => {
        const ref = store.findRef(this.db, folderId, name);
        return [refNameOf(name), ref && { ...ref, name: refNameOf(ref.name) }];
      }),
    );
    this.remembered.set(folderId, { version, refs: cached.refs.with(now) });
  }
}
