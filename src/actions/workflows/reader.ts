import { CostlyObject } from "../../git/errors.ts";
import { peelToTree } from "../../git/graph/peel.ts";
import type { Oid } from "../../git/objects/types.ts";
import { entryAt } from "../../git/trees.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { workflowFolders } from "./folders.ts";
import type { ReadWorkflow, ReadWorkflows } from "./reading.ts";

const none: ReadWorkflows = { folder: undefined, workflows: [] };
const TIMEOUT_MS = 20_000;
const FILE_BYTES = 1_000;

/** Reads the workflows of commits, each once. */
export class WorkflowReader {
  private readonly cache: Cache<string, ReadWorkflows>;
  private readonly reading = new InFlight<string, ReadWorkflows>();

  constructor(
    private readonly pool: WorkerPool,
    private readonly storage: RepoStorage,
    caches: CacheBudget,
  ) {
    this.cache = caches.cache(({ workflows }) =>
      workflows.reduce((sum, { source }) => sum + FILE_BYTES + source.length * 2, FILE_BYTES),
    );
  }

  async read(repoId: number, commit: Oid): Promise<ReadWorkflows> {
    const key = keyOf(repoId, commit);
    const cached = this.cache.get(key);
    if (cached) return cached;
    if (!this.mayHaveAny(repoId, commit)) {
      this.cache.set(key, none);
      return none;
    }
    return this.reading.once(key, async () => {
      const input = { repoDir: this.storage.dirOf(repoId), commit };
      const found = await this.pool.run("actions.read", input, { timeoutMs: TIMEOUT_MS }).catch((error) => {
        // Files that take too long to read are as good as none.
        if (error instanceof JobTimedOut) return none;
        throw error;
      });
      this.cache.set(key, found);
      return found;
    });
  }

  /** Most repositories have none, which takes no worker to find out. */
  private mayHaveAny(repoId: number, commit: Oid): boolean {
    try {
      const objects = this.storage.objects(repoId);
      const tree = peelToTree(objects, commit);
      return tree !== undefined && workflowFolders.some((folder) => entryAt(objects, tree, folder) !== undefined);
    } catch (error) {
      if (error instanceof CostlyObject) return true;
      throw error;
    }
  }

  /** The same, where it was read lately: for what cannot wait. */
  lately(repoId: number, commit: Oid): ReadWorkflows | undefined {
    return this.cache.get(keyOf(repoId, commit));
  }
}

export const nameOf = ({ id, name }: Pick<ReadWorkflow, "id" | "name">): string => name || (id.split("/").at(-1) ?? id);

const keyOf = (repoId: number, commit: Oid) => `${repoId} ${commit}`;
