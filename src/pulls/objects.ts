import type { Oid } from "../git/objects/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";

/** Brings what pull requests need from one repository of a family to another. */
export class PullObjects {
  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * Copies what a commit leads to. The caller holds `storage.writing` of the target until a ref leads there.
   * @throws JobFailed the commit is not there (any more)
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
}
