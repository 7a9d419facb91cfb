import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Release, ReleaseFilter } from "./types.ts";

interface ReleaseRow {
  id: number;
  repo_id: number;
  tag: string;
  target: string;
  title: string;
  body: string;
  is_draft: number;
  is_prerelease: number;
  author_id: number | null;
  created_at: number;
}

function releaseOf(row: ReleaseRow): Release {
  return {
    id: row.id,
    repoId: row.repo_id,
    tag: row.tag,
    target: row.target,
    title: row.title,
    body: row.body,
    isDraft: row.is_draft === 1,
    isPrerelease: row.is_prerelease === 1,
    authorId: row.author_id ?? undefined,
    createdAt: row.created_at,
  };
}

/** SQL for the number of a repository's published releases, for its resource. */
export const releaseCount = (repo: string) =>
  `SELECT count(*) FROM releases WHERE releases.repo_id = ${repo} AND releases.is_draft = 0`;

export function countPublished(db: Database, repoId: number): number {
  return db.query<{ count: number }>(`SELECT (${releaseCount("?")}) AS count`).get(repoId)?.count ?? 0;
}

/** Newest first. */
export function listReleases(
  db: Database,
  repoId: number,
  { isDraft, isPrerelease, words = "" }: ReleaseFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Release> {
  const where = [
    "repo_id = $repoId",
    ...(isDraft === undefined ? [] : [`is_draft = ${Number(isDraft)}`]),
    ...(isPrerelease === undefined ? [] : [`is_prerelease = ${Number(isPrerelease)}`]),
    ...(words === "" ? [] : ["(instr(lower_tag, $words) > 0 OR instr(lower(title), $words) > 0)"]),
  ].join(" AND ");
  const params = { repoId, ...(words === "" ? {} : { words: words.toLowerCase() }) };
  const sql = `SELECT * FROM releases WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $limit OFFSET $offset`;
  const rows = db.query<ReleaseRow>(sql).all({ ...params, limit, offset });
  const count = db.query<{ total: number }>(`SELECT count(*) AS total FROM releases WHERE ${where}`).get(params);
  return { items: rows.map(releaseOf), total: count?.total ?? 0 };
}

export function findRelease(db: Database, id: number): Release | undefined {
  const row = db.query<ReleaseRow>("SELECT * FROM releases WHERE id = ?").get(id);
  return row ? releaseOf(row) : undefined;
}

/** The release of a tag, in any letter case. */
export function findReleaseOfTag(db: Database, repoId: number, tag: string): Release | undefined {
  const sql = "SELECT * FROM releases WHERE repo_id = ? AND lower_tag = ?";
  const row = db.query<ReleaseRow>(sql).get(repoId, tag.toLowerCase());
  return row ? releaseOf(row) : undefined;
}

/** Releases of exactly these tags, case-sensitive, published or not. */
export function releasesOfTags(db: Database, repoId: number, tags: readonly string[]): Release[] {
  const sql = `SELECT * FROM releases
    WHERE repo_id = ? AND lower_tag IN (SELECT lower(value) FROM json_each(?)) AND tag IN (SELECT value FROM json_each(?))`;
  const names = JSON.stringify(tags);
  return db.query<ReleaseRow>(sql).all(repoId, names, names).map(releaseOf);
}

/** The newest that is neither a draft nor a pre-release. */
export function findLatest(db: Database, repoId: number): Release | undefined {
  const sql = `SELECT * FROM releases WHERE repo_id = ? AND is_draft = 0 AND is_prerelease = 0
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  const row = db.query<ReleaseRow>(sql).get(repoId);
  return row ? releaseOf(row) : undefined;
}

const paramsOf = ({
  authorId,
  isDraft,
  isPrerelease,
  tag,
  target,
  title,
  body,
  createdAt,
}: Omit<Release, "id" | "repoId">) => ({
  tag,
  lowerTag: tag.toLowerCase(),
  target,
  title,
  body,
  isDraft: Number(isDraft),
  isPrerelease: Number(isPrerelease),
  authorId: authorId ?? null,
  createdAt,
});

/** @throws if the tag has a release: the caller must have checked that in the same transaction */
export function insertRelease(db: Database, release: Omit<Release, "id">): Release {
  const sql = `INSERT INTO releases
      (repo_id, tag, lower_tag, target, title, body, is_draft, is_prerelease, author_id, created_at)
    VALUES ($repoId, $tag, $lowerTag, $target, $title, $body, $isDraft, $isPrerelease, $authorId, $createdAt)
    RETURNING *`;
  const row = db.query<ReleaseRow>(sql).get({ ...paramsOf(release), repoId: release.repoId });
  if (!row) throw new Error("an inserted release has a row");
  return releaseOf(row);
}

export function updateRelease(db: Database, { id, ...release }: Release): void {
  const sql = `UPDATE releases SET tag = $tag, lower_tag = $lowerTag, target = $target, title = $title, body = $body,
      is_draft = $isDraft, is_prerelease = $isPrerelease, author_id = $authorId, created_at = $createdAt
    WHERE id = $id`;
  db.query(sql).run({ ...paramsOf(release), id });
}

/** Deletes its files, too. */
export function deleteRelease(db: Database, id: number): void {
  db.query("DELETE FROM releases WHERE id = ?").run(id);
}

/** Turns releases into drafts because their tags are gone. */
export function unpublish(db: Database, ids: readonly number[]): void {
  db.query("UPDATE releases SET is_draft = 1 WHERE id IN (SELECT value FROM json_each(?))").run(JSON.stringify(ids));
}
