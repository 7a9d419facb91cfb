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

/** History copied from one repository to another, whose git objects are already there. */
export interface SharedHistory {
  readonly fromRepoId: number;
  /** The repository that receives the objects. */
  readonly toRepoId: number;
  readonly wants: readonly Oid[];
  readonly haves: readonly Oid[];
  /** The future owner, if the receiving repository is being created. */
  readonly owner?: User;
}

/** More than any single change references. */
const MAX_SHARED = 100_000;
/** Per transaction: each object also updates other tables that track its bytes. */
const BATCH = 200;

/**
 * Copies large files along with history from one repository to another: forks, merges, updates, repositories created
 * from a template. Only objects the first one has are copied, so that nobody gets what was never uploaded to it
 * (security rule L21). Many objects take many transactions, the last of which is the caller's; in a repository that
 * does not exist yet they are staged.
 */
export class LfsSharing {
  constructor(private readonly parts: SharingParts) {}

  /**
   * Copies all objects to a fork that is being created, so that it survives the deletion of its origin.
   * @param owner its future owner
   * @returns a function to call in the transaction that creates it; it throws TooLarge, as this does
   */
  async prepareFork(fromRepoId: number, forkId: number, owner: User): Promise<() => void> {
    const { clock, db, quotas } = this.parts;
    if (!store.hasObjects(db, fromRepoId)) return () => {};
    quotas.require(owner, "size:git:lfs", store.usedBytes(db, fromRepoId));
    this.stage(forkId);
    const last = store.lastNumber(db, fromRepoId);
    const copy = (oids: readonly string[]) =>
      store.copyObjectsNamed(db, { fromRepoId, toRepoId: forkId, oids, now: clock() });
    // In index order, so that each transaction writes few pages.
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
   * Finds the objects that a history references. @returns a function to call in the transaction that adds the
   * history; it throws TooLarge when the new owner may store nothing more, as this does
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

  /** The same in one step. */
  async share(history: SharedHistory): Promise<void> {
    const link = await this.prepare(history);
    this.parts.db.transaction(link);
  }

  private link(fromRepoId: number, toRepoId: number, oids: readonly string[], owner: User): void {
    const { clock, db, quotas, repos } = this.parts;
    const bytes = store.bytesToCopy(db, fromRepoId, toRepoId, oids);
    // Staged objects do not count towards the owner's usage yet.
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
