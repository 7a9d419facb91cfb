import type { GitFolders } from "../folders/service.ts";

/** A job about one git folder. */
export interface FolderPayload {
  readonly folderId: number;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Commit-graph, size, languages and licences after a push. */
    "repository.refresh": FolderPayload;
    /** Small packs become fewer. */
    "repository.consolidate": FolderPayload;
    /** Everything in one pack. */
    "repository.repack": FolderPayload;
    /** Packs that were replaced, and objects no one needs, leave the disk. */
    "repository.drop-replaced": FolderPayload;
    /** Finds the repositories that have to be packed. */
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
