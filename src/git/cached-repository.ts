import type { JobContext } from "../workers/job.ts";
import { Commits } from "./graph/commits.ts";
import { CurrentGraph } from "./graph/current.ts";
import { ObjectStore } from "./odb/store.ts";

/** Budget per job for objects that are absurdly expensive to read: a few seconds of a thread. */
const MAX_WASTED_BYTES = 4 * 1024 ** 3;

/**
 * A repository kept open in its thread: after one history, diff or blame, another on the same repository usually
 * follows, and opening the packs and reading the same trees again would cost more than the answer itself.
 */
export class CachedRepository {
  readonly store: ObjectStore;
  private readonly graph: CurrentGraph;

  constructor(repoDir: string, cacheBytes: number) {
    // Slows walks by about three percent, and is the only check of an entry's type and base.
    this.store = ObjectStore.open(repoDir, { cacheBytes, verify: true });
    this.graph = new CurrentGraph(repoDir);
  }

  /** The commits as of now. */
  commits(): Commits {
    return new Commits(this.store, this.graph.read());
  }

  close(): void {
    this.store.close();
  }
}

/**
 * The bare repository at `repoDir`, already open if a recent job of this thread used it. The caller must not close it.
 */
export function cachedRepository(context: Pick<JobContext, "cached">, repoDir: string): CachedRepository {
  const repository = context.cached(CachedRepository, repoDir);
  // Objects deleted for good since the last job must not be read through files that are still open.
  repository.store.refresh();
  repository.store.limitWaste(MAX_WASTED_BYTES);
  return repository;
}
