import type { JobContext } from "../workers/job.ts";
import { Commits } from "./graph/commits.ts";
import { CurrentGraph } from "./graph/current.ts";
import { ObjectStore } from "./odb/store.ts";

/** How many bytes one job may spend on absurdly expensive objects: some seconds of a thread. */
const MAX_WASTED_BYTES = 4 * 1024 ** 3;

/**
 * A repository that stays open in its thread: whoever views a history, a diff or a blame soon views the next one, and
 * opening packs and reading the same trees again would cost more than the answer.
 */
export class CachedRepository {
  readonly store: ObjectStore;
  private readonly graph: CurrentGraph;

  constructor(repoDir: string, cacheBytes: number) {
    // Costs walks about three percent, and is the only check of an entry's type and delta base.
    this.store = ObjectStore.open(repoDir, { cacheBytes, verify: true });
    this.graph = new CurrentGraph(repoDir);
  }

  /** The commits as they are now. */
  commits(): Commits {
    return new Commits(this.store, this.graph.read());
  }

  close(): void {
    this.store.close();
  }
}

/** The bare repository at `repoDir`; already open if a job of this thread used it recently. Do not close it. */
export function cachedRepository(context: Pick<JobContext, "cached">, repoDir: string): CachedRepository {
  const repository = context.cached(CachedRepository, repoDir);
  // Objects deleted since the last job must not be read from files that are still open.
  repository.store.refresh();
  repository.store.limitWaste(MAX_WASTED_BYTES);
  return repository;
}
