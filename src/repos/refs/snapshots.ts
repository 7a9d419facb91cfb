import type { Database } from "../../db/database.ts";
import { refNameOf, withByteNames } from "../../git/refs/names.ts";
import { RefSnapshot } from "../../git/transport/ref-snapshot.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { HIDDEN_REFS } from "./hidden.ts";
import * as store from "./store.ts";

/** So many refs are worth remembering: reading and framing one costs a microsecond. */
const MANY_REFS = 500;
/** A ref with its packets. */
const REF_BYTES = 400;

/**
 * All refs of a folder, with names as the engine has them. A fetch lists them twice, and again for the next commit:
 * rows by the thousand are read once for each version. Not for use inside a transaction, which may yet take back what it
 * changed.
 */
export class RefSnapshots {
  /** All refs of folders that have many, as they were in a version. */
  private readonly remembered: Cache<number, { readonly version: number; readonly refs: RefSnapshot }>;
  /** Snapshots without hidden refs, by the whole ones. */
  private readonly visibleOf = new WeakMap<RefSnapshot, RefSnapshot>();

  constructor(
    private readonly db: Database,
    caches: CacheBudget,
  ) {
    this.remembered = caches.cache(({ refs }) => refs.refs.length * REF_BYTES);
  }

  /** As they are now. */
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

  /** As they are now, if they are remembered. */
  cached(folderId: number): RefSnapshot | undefined {
    const cached = this.remembered.get(folderId);
    return cached && cached.version === store.refsVersion(this.db, folderId) ? cached.refs : undefined;
  }

  /** After a change of these refs: reading thousands of rows again for each push costs more than the push. */
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
