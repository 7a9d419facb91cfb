import type { Database } from "../../db/database.ts";
import type { ItemViewer } from "./repositories-store.ts";

/** How many trigrams a short word is looked up by. */
const MAX_TRIGRAMS = 300;
/** The highest character there is. */
const LAST = "\u{10ffff}";

/** The trigrams of the index that begin so. */
export function trigramsBeginning(db: Database, word: string): string[] {
  const sql = "SELECT term FROM issue_trigrams WHERE term >= ? AND term < ? LIMIT ?";
  return db
    .query<{ term: string }>(sql)
    .all(word, `${word}${LAST}`, MAX_TRIGRAMS)
    .map(({ term }) => term);
}

/** Upwards the index skips to where words meet; downwards it steps over every text of the repository. */
const FEW = 300;

/** Ids of items of one repository with a text that matches, those of the newest of them, at most so many texts. */
export function textHitsInRepo(db: Database, query: string, limit: number): number[] {
  const upwards =
    "SELECT rowid >> 31 AS id FROM issue_texts WHERE issue_texts MATCH $query ORDER BY rowid LIMIT $limit";
  const few = db.query<{ id: number }>(upwards).all({ query, limit: FEW + 1 });
  if (few.length <= FEW) return idsOf(few);
  const downwards =
    "SELECT rowid >> 31 AS id FROM issue_texts WHERE issue_texts MATCH $query ORDER BY rowid DESC LIMIT $limit";
  return idsOf(db.query<{ id: number }>(downwards).all({ query, limit }));
}

/** The same everywhere, of items that the viewer may read and nothing else. */
export function textHitsEverywhere(db: Database, query: string, viewer: ItemViewer, limit: number): number[] {
  const sql = `SELECT issue_texts.rowid >> 31 AS id FROM issue_texts
      CROSS JOIN issues ON issues.id = issue_texts.rowid >> 31
      CROSS JOIN repositories ON repositories.id = issues.repo_id
      CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE issue_texts MATCH $query AND CASE issues.is_pull WHEN 1 THEN ${viewer.seesPulls} ELSE ${viewer.seesIssues} END
    ORDER BY issue_texts.rowid DESC LIMIT $limit`;
  return idsOf(db.query<{ id: number }>(sql).all({ ...viewer.params, query, limit }));
}

const idsOf = (rows: readonly { readonly id: number }[]) => [...new Set(rows.map(({ id }) => id))];
