import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import * as store from "./store.ts";

export interface SharingParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly pool: WorkerPool;
  readonly quotas: QuotaService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

/** What goes from one repository to another, as git objects that are there already. */
export interface SharedHistory {
  readonly fromRepoId: number;
  /** It has the objects. */
  readonly toRepoId: number;
  readonly wants: readonly Oid[];
  readonly haves: readonly Oid[];
}

/** More than one change of anybody brings. */
const MAX_SHARED = 100_000;
/** Of one statement. */
const BATCH = 1000;

/**
 * Brings large files along with history that goes from one repository to another: merges, updates, what is made from a
 * template. Only what the first has can go over, so that nobody gets what was never sent to it (security rule L21).
 */
export class LfsSharing {
  constructor(private readonly parts: SharingParts) {}

  /**
   * Finds out what a history brings. @returns what is to be called in the transaction that makes it the other's; it throws
   * TooLarge when that one's owner may store nothing more
   */
  async prepare({ fromRepoId, haves, toRepoId, wants }: SharedHistory): Promise<() => void> {
    const { db, pool, storage } = this.parts;
    if (fromRepoId === toRepoId || !store.hasObjects(db, fromRepoId)) return () => {};
    const input = { repoDir: storage.dirOf(toRepoId), wants, haves, max: MAX_SHARED };
    const { pointers } = await pool.run("git.lfsPointers", input, { lane: "bulk" });
    const oids = [...new Set(pointers.map(({ oid }) => oid))];
    return () => this.link(fromRepoId, toRepoId, oids);
  }

  /** The same at once. */
  async share(history: SharedHistory): Promise<void> {
    const link = await this.prepare(history);
    this.parts.db.transaction(link);
  }

  private link(fromRepoId: number, toRepoId: number, oids: readonly string[]): void {
    const { clock, db, identity, quotas, repos } = this.parts;
    const repo = repos.byId(toRepoId);
    const owner = repo && identity.byId(repo.ownerId);
    for (let at = 0; owner && at < oids.length; at += BATCH) {
      const some = oids.slice(at, at + BATCH);
      const bytes = store.bytesToCopy(db, fromRepoId, toRepoId, some);
      if (bytes > 0) quotas.require(owner, "size:git:lfs", bytes);
      store.copyObjectsNamed(db, { fromRepoId, toRepoId, oids: some, now: clock() });
    }
  }
}
