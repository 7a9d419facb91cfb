import { Database } from "../../db/database.ts";
import { refNameOf, withByteNames } from "../../git/refs/names.ts";
import { writeProjection } from "../../git/refs/projection.ts";
import type { JobContext } from "../../workers/job.ts";
import { defaultBranchOf, listRefs, refsVersion } from "./store.ts";

export interface ProjectionInput {
  readonly databasePath: string;
  readonly folderId: number;
  /** The bare repository. */
  readonly repoDir: string;
}

/**
 * Writes HEAD and packed-refs of a git folder from the committed database; with thousands of refs and several flushes,
 * this is too much for the serving thread.
 * @throws RefsLocked; the system's error
 */
export async function run({ databasePath, folderId, repoDir }: ProjectionInput, context: JobContext): Promise<void> {
  const db = new Database(databasePath, { readonly: true });
  try {
    for (;;) {
      const [version, branch] = [refsVersion(db, folderId), defaultBranchOf(db, folderId)];
      if (version === undefined || branch === undefined) return;
      const refs = withByteNames(listRefs(db, folderId));
      // Another commit came in between: what was read mixes two states.
      if (refsVersion(db, folderId) !== version) continue;
      writeProjection(
        repoDir,
        { head: refNameOf(`refs/heads/${branch}`), refs, version },
        { crashPoint: context.crash },
      );
      return;
    }
  } finally {
    db.close();
  }
}
