import type { GitFolders } from "../folders/service.ts";

/** A job about one git folder. */
export interface FolderPayload {
  readonly folderId: number;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Commit-graph, size, languages and licences after a push. */
    "repository.refresh": FolderPayload;
    /** The same for every repository, to detect licences that have become known. */
    "repositories.refresh-all": Record<string, never>;
    /** Combines small packs. */
    "repository.geometric-repack": FolderPayload;
    /** The same, including unreachable objects, which are dropped once old. */
    "repository.repack": FolderPayload;
    /** Deletes replaced packs and unreachable objects. */
    "repository.prune-packs": FolderPayload;
    /** Finds repositories that need repacking. */
    "repositories.nightly": Record<string, never>;
  }
}

/** @throws Error the payload has no folder id */
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

/** Awaits work on a repository, ignoring errors if the repository was taken out of use meanwhile. */
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
