import type { Database } from "../../db/database.ts";
import { type ItemViewer, seesItem } from "./repositories-store.ts";

/** Max trigrams that a short word is expanded to. */
const MAX_TRIGRAMS = 300;
/** The highest code point. */
const LAST = "\u{10ffff}";

/** The index's trigrams that begin with the word. */
export function trigramsBeginning(db: Database, word: string): string[] {
  const sql = "SELECT term FROM issue_trigrams WHERE term >= ? AND term < ? LIMIT ?";
  return db
    .query<{ term: string }>(sql)
    .all(word, `${word}${LAST}`, MAX_TRIGRAMS)
    .map(({ term }) => term);
}

/** The item of a text: rowids descend, so that the newest come first. */
const ITEM = "-issue_texts.rowid >> 31";

export interface TextHits {
  /** Item ids, as JSON. */
  readonly ids: string;
  /** How many texts they were found in. */
  readonly texts: number;
}

/** Items of one repository with matching texts, newest texts first. @param limit max texts */
export function textHitsInRepo(db: Database, query: string, limit: number): TextHits {
  const sql = `SELECT ${ITEM} AS id FROM issue_texts WHERE issue_texts MATCH $query ORDER BY issue_texts.rowid LIMIT $limit`;
  return hitsOf(db, sql, { query, limit });
}

/** The same across all repositories, only items the viewer may read. */
export function textHitsEverywhere(db: Database, query: string, viewer: ItemViewer, limit: number): TextHits {
  const sql = `SELECT issues.id FROM issue_texts
      CROSS JOIN issues ON issues.id = ${ITEM}
      CROSS JOIN repositories ON repositories.id = issues.repo_id
      CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE issue_texts MATCH $query AND ${seesItem(viewer)}
    ORDER BY issue_texts.rowid LIMIT $limit`;
  return hitsOf(db, sql, { ...viewer.params, query, limit });
}

/** @param sql selects the matching texts' items */
function hitsOf(db: Database, sql: string, params: Record<string, number | string | null>): TextHits {
  const all = `SELECT json_group_array(DISTINCT id) AS ids, count(*) AS texts FROM (${sql})`;
  return db.query<TextHits>(all).get(params) ?? { ids: "[]", texts: 0 };
}
