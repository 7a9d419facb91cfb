import type { Database } from "../../db/database.ts";
import type { Paging } from "../../kernel/paging.ts";
import { type Artifact, type ArtifactBlock, type ArtifactKey, ArtifactStatus, type ListedArtifact } from "./types.ts";

type Row = Omit<Artifact, "announcedBytes"> & { readonly announcedBytes: number | null };

const columns = `actions_artifacts.id, actions_artifacts.repo_id AS repoId, actions_artifacts.run_id AS runId,
  actions_artifacts.attempt, actions_artifacts.name, actions_artifacts.path,
  actions_artifacts.media_type AS mediaType, actions_artifacts.encoding, actions_artifacts.status,
  actions_artifacts.size_bytes AS sizeBytes, actions_artifacts.announced_bytes AS announcedBytes,
  actions_artifacts.expires_at AS expiresAt, actions_artifacts.created_at AS createdAt,
  actions_artifacts.updated_at AS updatedAt`;

const artifactOf = <T extends Row>(row: T) => ({ ...row, announcedBytes: row.announcedBytes ?? undefined });

export function findArtifact(db: Database, id: number): Artifact | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM actions_artifacts WHERE id = ?`).get(id);
  return row ? artifactOf(row) : undefined;
}

export function findNamed(db: Database, { attempt, name, path, runId }: ArtifactKey): Artifact | undefined {
  const sql = `SELECT ${columns} FROM actions_artifacts WHERE run_id = ? AND attempt = ? AND name = ? AND path = ?`;
  const row = db.query<Row>(sql).get(runId, attempt, name, path);
  return row ? artifactOf(row) : undefined;
}

export function countOfRun(db: Database, runId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM actions_artifacts WHERE run_id = ?").get(runId)?.n ?? 0;
}

export function insertArtifact(
  db: Database,
  artifact: ArtifactKey & Pick<Artifact, "encoding" | "expiresAt" | "mediaType" | "repoId">,
  now: number,
): Artifact {
  const sql = `INSERT INTO actions_artifacts (repo_id, run_id, attempt, name, path, media_type, encoding, status,
      size_bytes, stored_bytes, expires_at, created_at, updated_at)
    VALUES ($repoId, $runId, $attempt, $name, $path, $mediaType, $encoding, ${ArtifactStatus.pending},
      0, 0, $expiresAt, $now, $now) RETURNING id`;
  const { attempt, encoding, expiresAt, mediaType, name, path, repoId, runId } = artifact;
  const values = { attempt, encoding, expiresAt, mediaType, name, path, repoId, runId, now };
  const id = db.query<{ id: number }>(sql).get(values)?.id ?? 0;
  const made = findArtifact(db, id);
  if (!made) throw new Error("an inserted artifact has a row");
  return made;
}

/** A trigger releases its bytes, and those of its blocks. */
export function deleteArtifact(db: Database, id: number): void {
  db.query("DELETE FROM actions_artifacts WHERE id = ?").run(id);
}

export function announce(db: Database, id: number, totalBytes: number, sizeBytes: number, now: number): void {
  const sql = "UPDATE actions_artifacts SET announced_bytes = ?, size_bytes = ?, updated_at = ? WHERE id = ?";
  db.query(sql).run(totalBytes, sizeBytes, now, id);
}

/** @param sizeBytes of the content; undefined: as announced */
export function finish(
  db: Database,
  id: number,
  { sizeBytes, storedBytes }: { readonly sizeBytes: number | undefined; readonly storedBytes: number },
  now: number,
): void {
  db.query(
    `UPDATE actions_artifacts SET status = ${ArtifactStatus.there}, stored_bytes = $storedBytes,
       size_bytes = coalesce($sizeBytes, size_bytes), updated_at = $now WHERE id = $id`,
  ).run({ id, storedBytes, sizeBytes: sizeBytes ?? null, now });
}

/** The caller releases its bytes. */
export function setWithoutBytes(
  db: Database,
  id: number,
  status: typeof ArtifactStatus.failed | typeof ArtifactStatus.expired,
  now: number,
): void {
  db.query("UPDATE actions_artifacts SET status = ?, stored_bytes = 0, updated_at = ? WHERE id = ?").run(
    status,
    now,
    id,
  );
}

/** Ordered by place; blocks without one, which no list named, come last in order of arrival. */
export function blocksOf(db: Database, artifactId: number): ArtifactBlock[] {
  const sql = `SELECT id, place, size_bytes AS sizeBytes FROM actions_artifact_blocks WHERE artifact_id = ?
    ORDER BY place IS NULL, place, id`;
  const rows = db.query<Omit<ArtifactBlock, "place"> & { place: number | null }>(sql).all(artifactId);
  return rows.map((row) => ({ ...row, place: row.place ?? undefined }));
}

export function countBlocks(db: Database, artifactId: number): number {
  const sql = "SELECT count(*) AS n FROM actions_artifact_blocks WHERE artifact_id = ?";
  return db.query<{ n: number }>(sql).get(artifactId)?.n ?? 0;
}

/** Total size of an artifact's blocks. */
export function bytesOfBlocks(db: Database, artifactId: number): number {
  const sql = "SELECT stored_bytes AS n FROM actions_artifacts WHERE id = ?";
  return db.query<{ n: number }>(sql).get(artifactId)?.n ?? 0;
}

/** Replaces a block with the same key. @returns its ID */
export function putBlock(
  db: Database,
  block: {
    readonly artifactId: number;
    readonly key: string;
    readonly place: number | null;
    readonly sizeBytes: number;
  },
  now: number,
): number {
  const { artifactId, key, place, sizeBytes } = block;
  const before = db
    .query<{ sizeBytes: number }>(
      "DELETE FROM actions_artifact_blocks WHERE artifact_id = ? AND key = ? RETURNING size_bytes AS sizeBytes",
    )
    .get(artifactId, key);
  const made = db
    .query<{ id: number }>(
      "INSERT INTO actions_artifact_blocks (artifact_id, key, place, size_bytes) VALUES (?, ?, ?, ?) RETURNING id",
    )
    .get(artifactId, key, place, sizeBytes);
  const more = sizeBytes - (before?.sizeBytes ?? 0);
  const sql = "UPDATE actions_artifacts SET stored_bytes = stored_bytes + ?, updated_at = ? WHERE id = ?";
  db.query(sql).run(more, now, artifactId);
  return made?.id ?? 0;
}

/** Orders the blocks as given, clearing the places of all others. @returns how many of the keys exist */
export function placeBlocks(db: Database, artifactId: number, keys: readonly string[]): number {
  db.query("UPDATE actions_artifact_blocks SET place = NULL WHERE artifact_id = ?").run(artifactId);
  const sql = `UPDATE actions_artifact_blocks SET place = listed.key FROM json_each($keys) AS listed
    WHERE actions_artifact_blocks.artifact_id = $artifactId AND actions_artifact_blocks.key = listed.value`;
  return db.query(sql).run({ artifactId, keys: JSON.stringify(keys) }).changes;
}

/** Triggers release their bytes. */
export function deleteBlocks(db: Database, artifactId: number): void {
  db.query("DELETE FROM actions_artifact_blocks WHERE artifact_id = ?").run(artifactId);
}

/** Called once all its blocks are deleted. */
export function clearStored(db: Database, id: number): void {
  db.query("UPDATE actions_artifacts SET stored_bytes = 0 WHERE id = ?").run(id);
}

/** Unfinished files of the older protocol under a name, up to `limit`. */
export function pendingFiles(db: Database, key: Omit<ArtifactKey, "path">, limit: number): Artifact[] {
  const sql = `SELECT ${columns} FROM actions_artifacts
    WHERE run_id = ? AND attempt = ? AND name = ? AND path <> '' AND status = ${ArtifactStatus.pending} LIMIT ?`;
  return db.query<Row>(sql).all(key.runId, key.attempt, key.name, limit).map(artifactOf);
}

/** A run's artifacts as an attempt sees them: of each name, those of the last attempt with it. By name and path. */
export function artifactsOfRun(
  db: Database,
  {
    attempt,
    protocol,
    runId,
  }: { readonly runId: number; readonly attempt: number; readonly protocol: "older" | "newer" },
  now: number,
): Artifact[] {
  const kind = protocol === "newer" ? "path = ''" : "path <> ''";
  const sql = `SELECT ${columns} FROM actions_artifacts
    WHERE run_id = $runId AND ${kind} AND status = ${ArtifactStatus.there} AND expires_at > $now
      AND attempt = (SELECT max(others.attempt) FROM actions_artifacts AS others
        WHERE others.run_id = $runId AND others.attempt <= $attempt AND others.name = actions_artifacts.name
          AND others.${kind} AND others.status = ${ArtifactStatus.there})
    ORDER BY name, path`;
  return db.query<Row>(sql).all({ runId, attempt, now }).map(artifactOf);
}

const listed = `FROM actions_artifacts JOIN actions_runs ON actions_runs.id = actions_artifacts.run_id
  WHERE actions_artifacts.path = '' AND actions_artifacts.status IN (2, 4)`;
const listedColumns = `${columns}, actions_runs.commit_id AS "commit"`;

/** Artifacts that the API lists, the oldest first. @param name empty: any */
export function listArtifacts(
  db: Database,
  { name, repoId, runId }: { readonly repoId: number; readonly runId?: number; readonly name: string },
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): { items: ListedArtifact[]; total: number } {
  const conditions = [
    "actions_artifacts.repo_id = $repoId",
    ...(runId === undefined ? [] : ["actions_artifacts.run_id = $runId"]),
    ...(name === "" ? [] : ["actions_artifacts.name = $name"]),
  ];
  const params = { repoId, ...(runId === undefined ? {} : { runId }), ...(name === "" ? {} : { name }) };
  const where = `${listed} AND ${conditions.join(" AND ")}`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${where}`).get(params)?.n ?? 0;
  const sql = `SELECT ${listedColumns} ${where} ORDER BY actions_artifacts.id LIMIT $limit OFFSET $offset`;
  const rows = db.query<Row & { commit: string }>(sql).all({ ...params, limit, offset });
  return { items: rows.map(artifactOf), total };
}

/** An artifact that the API shows. */
export function findListed(db: Database, repoId: number, id: number): ListedArtifact | undefined {
  const sql = `SELECT ${listedColumns} ${listed} AND actions_artifacts.id = ? AND actions_artifacts.repo_id = ?`;
  const row = db.query<Row & { commit: string }>(sql).get(id, repoId);
  return row ? artifactOf(row) : undefined;
}

/** An artifact as the page of a run shows it: one entry, however many files it has. Sorted by name. */
export interface ArtifactSummary {
  readonly name: string;
  readonly sizeBytes: number;
  readonly isExpired: boolean;
  readonly expiresAt: number;
}

/** A run's artifacts as an attempt sees them. */
export function summariesOf(db: Database, runId: number, attempt: number, now: number): ArtifactSummary[] {
  const sql = `SELECT name, sum(size_bytes) AS sizeBytes, max(expires_at) AS expiresAt,
      min(status = ${ArtifactStatus.expired} OR expires_at <= $now) AS isExpired
    FROM actions_artifacts WHERE run_id = $runId AND status IN (2, 4)
      AND attempt = (SELECT max(others.attempt) FROM actions_artifacts AS others WHERE others.run_id = $runId
        AND others.attempt <= $attempt AND others.name = actions_artifacts.name AND others.status IN (2, 4))
    GROUP BY name ORDER BY name`;
  const rows = db.query<Omit<ArtifactSummary, "isExpired"> & { isExpired: number }>(sql).all({ runId, attempt, now });
  return rows.map((row) => ({ ...row, isExpired: row.isExpired === 1 }));
}

/** Artifacts that expired before the given time, up to `limit`. */
export function overBefore(db: Database, before: number, limit: number): number[] {
  const sql = `SELECT id FROM actions_artifacts WHERE status = 2 AND expires_at < ? ORDER BY expires_at LIMIT ?`;
  return db
    .query<{ id: number }>(sql)
    .all(before, limit)
    .map(({ id }) => id);
}

/** Deletes unfinished artifacts that have received nothing since the given time. @returns how many were deleted */
export function deleteUnfinished(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM actions_artifacts WHERE id IN
    (SELECT id FROM actions_artifacts WHERE status IN (1, 3) AND updated_at < ? ORDER BY updated_at LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}

const ofOwner = `FROM repositories JOIN actions_artifacts ON actions_artifacts.repo_id = repositories.id
  WHERE repositories.owner_id = $owner AND repositories.binned_at IS NULL AND actions_artifacts.stored_bytes > 0`;

/** An artifact, or a file of one, with the name of its repository. */
export interface ArtifactOfOwner {
  readonly name: string;
  readonly sizeBytes: number;
  readonly runId: number;
  readonly repo: string;
}

export function countOfOwner(db: Database, owner: number): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${ofOwner}`).get({ owner })?.n ?? 0;
}

/** Sorted by repository. */
export function artifactsOfOwner(
  db: Database,
  owner: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): ArtifactOfOwner[] {
  const sql = `SELECT actions_artifacts.name, actions_artifacts.stored_bytes AS sizeBytes,
      actions_artifacts.run_id AS runId, repositories.name AS repo
    ${ofOwner} ORDER BY repositories.lower_name, actions_artifacts.id LIMIT $limit OFFSET $offset`;
  return db.query<ArtifactOfOwner>(sql).all({ owner, limit, offset });
}

/** The repository of a run. */
export function repoOfRun(db: Database, runId: number): number | undefined {
  return db.query<{ repoId: number }>("SELECT repo_id AS repoId FROM actions_runs WHERE id = ?").get(runId)?.repoId;
}
