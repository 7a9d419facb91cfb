import type { RepoService } from "../service.ts";

/** A job about one repository. */
export interface RepoPayload {
  readonly repoId: number;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Commit-graph, size, languages and licences after a push. */
    "repository.refresh": RepoPayload;
    /** Small packs become fewer. */
    "repository.consolidate": RepoPayload;
    /** Everything in one pack. */
    "repository.repack": RepoPayload;
    /** Packs that were replaced, and objects no one needs, leave the disk. */
    "repository.drop-replaced": RepoPayload;
    /** Finds the repositories that have to be packed. */
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
