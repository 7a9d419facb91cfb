import type { Oid } from "../git/objects/types.ts";
import type { LfsSharing } from "../lfs/sharing.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";

/** Copies the objects that pull requests need from one repository of a fork network to another. */
export class PullObjects {
  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly lfsSharing: LfsSharing,
  ) {}

  /**
   * Copies everything reachable from a commit. The caller must hold `storage.writing` of the target until a ref points
   * at it.
   * @throws JobFailed if the commit does not exist (any more)
   */
  async bring(fromRepoId: number, toRepoId: number, tip: Oid): Promise<void> {
    if (fromRepoId === toRepoId) return;
    const { pool, refs, storage } = this;
    const release = storage.writing(fromRepoId);
    try {
      await pool.run("git.fetchLocally", {
        fromDir: storage.dirOf(fromRepoId),
        repoDir: storage.dirOf(toRepoId),
        tips: [tip],
        connectedTo: [...new Set(refs.list(toRepoId).map(({ oid }) => oid))],
      });
    } catch (error) {
      storage.noteFailure(error);
      throw error;
    } finally {
      release();
    }
  }

  /**
   * Does the same for a base about to be merged into a head, including its large files.
   * @throws also TooLarge if the head's owner is out of quota
   */
  async bringBase(fromRepoId: number, toRepoId: number, base: Oid, head: Oid): Promise<void> {
    await this.bring(fromRepoId, toRepoId, base);
    await this.lfsSharing.share({ fromRepoId, toRepoId, wants: [base], haves: [head] });
  }
}
