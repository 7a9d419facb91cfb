import { CostlyObject } from "../../git/errors.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { type WorkflowFolder, workflowFolderOf } from "./folders.ts";
import type { ReadWorkflow, ReadWorkflows } from "./reading.ts";

const none: ReadWorkflows = { folder: undefined, workflows: [] };
const TIMEOUT_MS = 20_000;
const FILE_BYTES = 1_000;
const FOLDER_BYTES = 100;

/** Where a commit's workflows are; "none": it has none, "unknown": finding out is too costly here. */
type Found = WorkflowFolder | "none" | "unknown";

/** Reads the workflows of commits, each directory once, however many commits and tags contain it. */
export class WorkflowReader {
  private readonly folders: Cache<string, Found>;
  private readonly cache: Cache<string, ReadWorkflows>;
  private readonly reading = new InFlight<string, ReadWorkflows>();

  constructor(
    private readonly pool: WorkerPool,
    private readonly storage: RepoStorage,
    caches: CacheBudget,
  ) {
    this.folders = caches.cache(() => FOLDER_BYTES);
    this.cache = caches.cache(({ workflows }) =>
      workflows.reduce((sum, { source }) => sum + FILE_BYTES + source.length * 2, FILE_BYTES),
    );
  }

  async read(repoId: number, commit: Oid): Promise<ReadWorkflows> {
    const found = this.folderOf(repoId, commit);
    if (found === "none") return none;
    const key = keyOf(repoId, commit, found);
    const cached = this.cache.get(key);
    if (cached) return cached;
    return this.reading.once(key, async () => {
      const input = { repoDir: this.storage.dirOf(repoId), commit };
      const workflows = await this.pool.run("actions.read", input, { timeoutMs: TIMEOUT_MS }).catch((error) => {
        // Files that take too long to read are ignored.
        if (error instanceof JobTimedOut) return none;
        throw error;
      });
      this.cache.set(key, workflows);
      return workflows;
    });
  }

  /** Most repositories have no workflows, which can be found out without a worker. */
  private folderOf(repoId: number, commit: Oid): Found {
    const key = `${repoId} ${commit}`;
    let found = this.folders.get(key);
    if (found === undefined) {
      found = this.findFolder(repoId, commit);
      this.folders.set(key, found);
    }
    return found;
  }

  private findFolder(repoId: number, commit: Oid): Found {
    try {
      return workflowFolderOf(this.storage.objects(repoId), commit) ?? "none";
    } catch (error) {
      if (error instanceof CostlyObject) return "unknown";
      throw error;
    }
  }

  /** The cached result of `read`, if any, for callers that cannot wait. */
  lately(repoId: number, commit: Oid): ReadWorkflows | undefined {
    const found = this.folders.get(`${repoId} ${commit}`);
    if (found === undefined) return undefined;
    return found === "none" ? none : this.cache.get(keyOf(repoId, commit, found));
  }
}

export const nameOf = ({ id, name }: Pick<ReadWorkflow, "id" | "name">): string => name || (id.split("/").at(-1) ?? id);

const keyOf = (repoId: number, commit: Oid, found: WorkflowFolder | "unknown") =>
  found === "unknown" ? `${repoId} ${commit}` : `${repoId} ${found.folder} ${found.tree}`;
