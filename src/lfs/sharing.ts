import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
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
  readonly repoRegistration: RepoRegistration;
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
  /** Whose the other is to be, where it is being made. */
  readonly owner?: User;
}

/** More than one change of anybody brings. */
const MAX_SHARED = 100_000;
/** Of one transaction: each has rows of its own elsewhere that say who needs its bytes. */
const BATCH = 200;

/**
 * Brings large files along with history that goes from one repository to another: forks, merges, updates, what is made from
 * a template. Only what the first has can go over, so that nobody gets what was never sent to it (security rule L21). Many
 * go over in many transactions, the last of which is the caller's; a repository that is not there yet is staged for them.
 */
export class LfsSharing {
  constructor(private readonly parts: SharingParts) {}

  /**
   * Brings all there are to a fork that is being made: it goes on when what it was forked from is gone.
   * @param owner whose it is to be
   * @returns what is to be called in the transaction that makes it; it throws TooLarge, as this does
   */
  async prepareFork(fromRepoId: number, forkId: number, owner: User): Promise<() => void> {
    const { clock, db, quotas } = this.parts;
    if (!store.hasObjects(db, fromRepoId)) return () => {};
    quotas.require(owner, "size:git:lfs", store.usedBytes(db, fromRepoId));
    this.stage(forkId);
    const last = store.lastNumber(db, fromRepoId);
    const copy = (oids: readonly string[]) =>
      store.copyObjectsNamed(db, { fromRepoId, toRepoId: forkId, oids, now: clock() });
    // In the order of the indexes, so that each transaction writes few of their pages.
    for (let after = "", oids = [after]; oids.length > 0; after = oids.at(-1) ?? "") {
      oids = store.oidsAfter(db, fromRepoId, after, BATCH);
      db.transaction(() => copy(oids));
      await nextTurn();
    }
    return () => {
      const since = store.objectsAfter(db, fromRepoId, last, MAX_SHARED);
      copy(since.map(({ oid }) => oid));
      quotas.require(owner, "size:git:lfs");
    };
  }

  /**
   * Finds out what a history brings. @returns what is to be called in the transaction that makes it the other's; it throws
   * TooLarge when that one's owner may store nothing more, as this does
   */
  async prepare({ fromRepoId, haves, owner, toRepoId, wants }: SharedHistory): Promise<() => void> {
    const { db, pool, storage } = this.parts;
    if (fromRepoId === toRepoId || !store.hasObjects(db, fromRepoId)) return () => {};
    const input = { repoDir: storage.dirOf(toRepoId), wants, haves, max: MAX_SHARED };
    const { pointers } = await pool.run("git.lfsPointers", input, { lane: "bulk" });
    const oids = [...new Set(pointers.map(({ oid }) => oid))];
    const payer = owner ?? this.ownerOf(toRepoId);
    if (!payer) return () => {};
    if (oids.length > BATCH) this.stage(toRepoId);
    while (oids.length > BATCH) {
      const some = oids.splice(0, BATCH);
      db.transaction(() => this.link(fromRepoId, toRepoId, some, payer));
      await nextTurn();
    }
    return () => this.link(fromRepoId, toRepoId, oids, payer);
  }

  /** The same at once. */
  async share(history: SharedHistory): Promise<void> {
    const link = await this.prepare(history);
    this.parts.db.transaction(link);
  }

  private link(fromRepoId: number, toRepoId: number, oids: readonly string[], owner: User): void {
    const { clock, db, quotas, repos } = this.parts;
    const bytes = store.bytesToCopy(db, fromRepoId, toRepoId, oids);
    // What was staged does not count for its owner yet.
    const uncounted = repos.byId(toRepoId)?.isBinned ? store.usedBytes(db, toRepoId) : 0;
    if (bytes > 0) quotas.require(owner, "size:git:lfs", uncounted + bytes);
    store.copyObjectsNamed(db, { fromRepoId, toRepoId, oids, now: clock() });
  }

  private ownerOf(repoId: number): User | undefined {
    const { identity, repos } = this.parts;
    const repo = repos.byId(repoId);
    return repo && identity.byId(repo.ownerId);
  }

  private stage(repoId: number): void {
    const { db, repoRegistration, repos } = this.parts;
    if (!repos.byId(repoId)) db.transaction(() => repoRegistration.stage(repoId));
  }
}
