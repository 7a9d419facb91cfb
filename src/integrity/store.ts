import type { Database } from "../db/database.ts";
import type { Examined, Finding, Hits, ScrubRecord } from "./types.ts";

/** Replaces the result of the previous scrub. In a transaction. */
export function recordScrub(db: Database, folderId: number | null, examined: Examined, now: number): void {
  db.query("DELETE FROM scrubs WHERE folder_id IS ?").run(folderId);
  db.query("INSERT INTO scrubs (folder_id, finished_at, items, bytes) VALUES (?, ?, ?, ?)").run(
    folderId,
    now,
    examined.items,
    examined.bytes,
  );
  const id = db.query<{ id: number }>("SELECT id FROM scrubs WHERE folder_id IS ?").get(folderId)?.id ?? 0;
  for (const { file, message, hits } of examined.findings)
    db.query("INSERT INTO scrub_findings (scrub_id, file, message, hits) VALUES (?, ?, ?, ?)").run(
      id,
      file,
      message,
      JSON.stringify(hits),
    );
}

type Row = Omit<ScrubRecord, "findings"> & { readonly id: number; readonly findingCount: number };

/** Those with findings first, then the oldest. */
export function listScrubs(db: Database, limit: number, offset: number): ScrubRecord[] {
  return db
    .query<Row>(
      `SELECT scrubs.id, folder_id AS folderId, finished_at AS finishedAt, items, bytes,
         users.login || '/' || repositories.name || iif(git_folders.kind = 'code', '', '.' || git_folders.kind) AS repository,
         (SELECT count(*) FROM scrub_findings WHERE scrub_id = scrubs.id) AS findingCount
       FROM scrubs LEFT JOIN git_folders ON git_folders.id = folder_id LEFT JOIN repositories ON repositories.id = repo_id LEFT JOIN users ON users.id = owner_id
       ORDER BY findingCount = 0, finished_at, scrubs.id LIMIT ? OFFSET ?`,
    )
    .all(limit, offset)
    .map(({ id, findingCount, ...scrub }) => ({ ...scrub, findings: findingCount > 0 ? findingsOf(db, id) : [] }));
}

export function countScrubs(db: Database): number {
  return db.query<{ count: number }>("SELECT count(*) AS count FROM scrubs").get()?.count ?? 0;
}

export function countFindings(db: Database): number {
  return db.query<{ count: number }>("SELECT count(*) AS count FROM scrub_findings").get()?.count ?? 0;
}

function findingsOf(db: Database, scrubId: number): Finding[] {
  return db
    .query<{ file: string; message: string; hits: string }>(
      "SELECT file, message, hits FROM scrub_findings WHERE scrub_id = ? ORDER BY id",
    )
    .all(scrubId)
    .map(({ hits, ...finding }) => ({ ...finding, hits: readHits(hits) }));
}

/** Written by `recordScrub`. */
function readHits(text: string): Hits {
  const hits: Partial<Hits> = JSON.parse(text);
  const { objects = [], objectCount = 0, lostCount = 0, refs = [], refCount = 0, owners = [] } = hits;
  return { objects, objectCount, lostCount, refs, refCount, owners };
}
