import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDatabase } from "../admin/doctor/database.ts";
import { Database } from "../db/database.ts";
import { SCHEMA_VERSION } from "../db/migrate.ts";
import { scrubRepository } from "../git/scrub/scrub.ts";
import { repositoryDirectory } from "../repos/directory.ts";
import { BackupError } from "./error.ts";
import type { BackupHead, BackupTotals } from "./manifest.ts";
import { fileReceiver, readBackup } from "./read.ts";
import { folderIds, refsOf } from "./store.ts";

/**
 * Compares a whole backup with its manifest, lets SQLite check the database, and, if the backup is a directory,
 * checks that every object a ref points at exists.
 * @throws BackupError
 */
export async function verifyBackup(source: string): Promise<BackupHead & BackupTotals> {
  const scratch = mkdtempSync(join(tmpdir(), "hearth-verify-"));
  try {
    const path = join(scratch, "hearth.db");
    const summary = readBackup(source, scratch, (entry) =>
      entry.path === "hearth.db" ? fileReceiver(path, 0o600, () => {}) : undefined,
    );
    requireSound(path);
    if (statSync(source).isDirectory()) await requireObjects(source, path);
    return summary;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws BackupError the database is damaged, or of a newer Hearth */
export function requireSound(path: string): void {
  const { problems, schema } = checkDatabase(path);
  if (schema > SCHEMA_VERSION) throw new BackupError("newer", `${schema} > ${SCHEMA_VERSION}`);
  if (problems.some(({ code }) => code !== "database.older")) throw new BackupError("damaged", "hearth.db");
}

async function requireObjects(directory: string, path: string): Promise<void> {
  const db = new Database(path, { readonly: true });
  try {
    for (const id of folderIds(db)) {
      const repoDir = repositoryDirectory("repositories", id);
      const { findings } = await scrubRepository(join(directory, repoDir), {
        refs: refsOf(db, id),
        coreShare: 1,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      if (findings[0]) throw new BackupError("damaged", `${repoDir}/${findings[0].file}: ${findings[0].message}`);
    }
  } finally {
    db.close();
  }
}
