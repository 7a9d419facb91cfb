import type { RepoService } from "../service.ts";

/** A job about one repository. */
export interface RepoPayload {
  readonly repoId: number;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Commit-graph, size, languages and licences after a push. */
    "repository.refresh": RepoPayload;
    /** Combines small packs. */
    "repository.geometric-repack": RepoPayload;
    /** Puts everything into one pack. */
    "repository.repack": RepoPayload;
    /** Deletes packs that were replaced, and unreachable objects. */
    "repository.prune-packs": RepoPayload;
    /** Finds the repositories that need to be repacked. */
    "repositories.nightly": Record<string, never>;
  }
}

/** @throws Error when it names no repository */
export function parseRepoPayload(payload: unknown): RepoPayload {
  if (typeof payload !== "object" || payload === null || !("repoId" in payload) || typeof payload.repoId !== "number")
    throw new Error("the job names no repository");
  return { repoId: payload.repoId };
}

/** Does something about a repository. What fails because it was deleted meanwhile, its folder with it, did not fail. */
export async function unlessDeleted(
  repos: Pick<RepoService, "byId">,
  repoId: number,
  work: Promise<void>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (repos.byId(repoId)) throw error;
  }
}
