import type { GitFolders } from "../folders/service.ts";

/** A job about one git folder. */
export interface FolderPayload {
  readonly folderId: number;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Commit-graph, size, languages and licences after a push. */
    "repository.refresh": FolderPayload;
    /** The same for every repository: licences that are known by now are found. */
    "repositories.refresh-all": Record<string, never>;
    /** Combines small packs. */
    "repository.geometric-repack": FolderPayload;
    /** The same, with what nothing leads to any more, which is left out once it is old. */
    "repository.repack": FolderPayload;
    /** Deletes packs that were replaced, and unreachable objects. */
    "repository.prune-packs": FolderPayload;
    /** Finds the repositories that need to be repacked. */
    "repositories.nightly": Record<string, never>;
  }
}

/** @throws Error when it names no folder */
export function parseFolderPayload(payload: unknown): FolderPayload {
  if (
    typeof payload !== "object" ||
    payload === null ||
    !("folderId" in payload) ||
    typeof payload.folderId !== "number"
  )
    throw new Error("the job names no folder");
  return { folderId: payload.folderId };
}

/** Does something about a repository. What fails because it was taken out of use meanwhile did not fail. */
export async function unlessDeleted(
  folders: Pick<GitFolders, "byId">,
  folderId: number,
  work: Promise<void>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (folders.byId(folderId)) throw error;
  }
}
