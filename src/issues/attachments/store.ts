import type { Database } from "../../db/database.ts";
import type { Attachment } from "./types.ts";

interface AttachmentRow {
  id: number;
  uuid: string;
  repo_id: number;
  uploader_id: number | null;
  issue_id: number | null;
  entry_id: number | null;
  name: string;
  size_bytes: number;
  download_count: number;
  created_at: number;
}

function attachmentOf(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    uuid: row.uuid,
    repoId: row.repo_id,
    uploaderId: row.uploader_id ?? undefined,
    issueId: row.issue_id ?? undefined,
    entryId: row.entry_id ?? undefined,
    name: row.name,
    sizeBytes: row.size_bytes,
    downloads: row.download_count,
    createdAt: row.created_at,
  };
}

export function insertAttachment(db: Database, given: Omit<Attachment, "id" | "downloads">): Attachment {
  const sql = `INSERT INTO attachments (uuid, repo_id, uploader_id, issue_id, entry_id, name, size_bytes, created_at)
    VALUES ($uuid, $repoId, $uploaderId, $issueId, $entryId, $name, $sizeBytes, $createdAt) RETURNING *`;
  const { uploaderId, issueId, entryId, ...rest } = given;
  const row = db.query<AttachmentRow>(sql).get({
    ...rest,
    uploaderId: uploaderId ?? null,
    issueId: issueId ?? null,
    entryId: entryId ?? null,
  });
  if (!row) throw new Error("an inserted attachment has a row");
  return attachmentOf(row);
}

export function findAttachment(db: Database, id: number): Attachment | undefined {
  const row = db.query<AttachmentRow>("SELECT * FROM attachments WHERE id = ?").get(id);
  return row ? attachmentOf(row) : undefined;
}

export function findByUuid(db: Database, uuid: string): Attachment | undefined {
  const row = db.query<AttachmentRow>("SELECT * FROM attachments WHERE uuid = ?").get(uuid);
  return row ? attachmentOf(row) : undefined;
}

/** Attachments of the items themselves, not of their comments. */
export function attachmentsOfItems(db: Database, ids: readonly number[]): Attachment[] {
  const sql = `SELECT * FROM attachments
    WHERE issue_id IN (SELECT value FROM json_each(?)) AND entry_id IS NULL ORDER BY issue_id, id`;
  return db.query<AttachmentRow>(sql).all(JSON.stringify(ids)).map(attachmentOf);
}

export function attachmentsOfEntries(db: Database, ids: readonly number[]): Attachment[] {
  const sql = `SELECT * FROM attachments WHERE entry_id IN (SELECT value FROM json_each(?)) ORDER BY entry_id, id`;
  return db.query<AttachmentRow>(sql).all(JSON.stringify(ids)).map(attachmentOf);
}

export function renameAttachment(db: Database, id: number, name: string): void {
  db.query("UPDATE attachments SET name = ? WHERE id = ?").run(name, id);
}

/** @param entryId undefined: the item itself */
export function linkAttachment(db: Database, id: number, issueId: number, entryId: number | undefined): void {
  db.query("UPDATE attachments SET issue_id = ?, entry_id = ? WHERE id = ?").run(issueId, entryId ?? null, id);
}

export function countDownload(db: Database, id: number): void {
  db.query("UPDATE attachments SET download_count = download_count + 1 WHERE id = ?").run(id);
}

/** A trigger deletes its bytes. */
export function deleteAttachment(db: Database, id: number): void {
  db.query("DELETE FROM attachments WHERE id = ?").run(id);
}

/** How many unused files an account has. */
export function countUnused(db: Database, uploaderId: number): number {
  const sql = `SELECT count(*) AS count FROM attachments
    WHERE uploader_id = ? AND issue_id IS NULL AND entry_id IS NULL`;
  return db.query<{ count: number }>(sql).get(uploaderId)?.count ?? 0;
}

/** @returns how many */
export function deleteUnused(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM attachments WHERE id IN (SELECT id FROM attachments
    WHERE issue_id IS NULL AND entry_id IS NULL AND created_at < ? ORDER BY created_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}

/** Increases the item's version as if its text had changed. */
export function bumpItem(db: Database, id: number, now: number): void {
  db.query("UPDATE issues SET content_version = content_version + 1, updated_at = max(updated_at, ?) WHERE id = ?").run(
    now,
    id,
  );
}

export function bumpEntry(db: Database, id: number, now: number): void {
  db.query("UPDATE timeline SET content_version = content_version + 1, updated_at = ? WHERE id = ?").run(now, id);
}

const ofOwner = `FROM repositories JOIN attachments ON attachments.repo_id = repositories.id
  LEFT JOIN issues ON issues.id = attachments.issue_id
  WHERE repositories.owner_id = $owner AND repositories.binned_at IS NULL`;

/** A file with its repository and the item it is attached to, if any. */
export interface AttachmentOfOwner {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly number: number | null;
  readonly isPull: number | null;
  readonly repo: string;
}

export function countAttachmentsOfOwner(db: Database, owner: number): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${ofOwner}`).get({ owner })?.n ?? 0;
}

/** Sorted by repository. */
export function attachmentsOfOwner(
  db: Database,
  owner: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): AttachmentOfOwner[] {
  const sql = `SELECT attachments.id, attachments.uuid, attachments.name, attachments.size_bytes AS sizeBytes,
    issues.number, issues.is_pull AS isPull, repositories.name AS repo
    ${ofOwner} ORDER BY repositories.lower_name, attachments.id LIMIT $limit OFFSET $offset`;
  return db.query<AttachmentOfOwner>(sql).all({ owner, limit, offset });
}
