import { Database } from "../../db/database.ts";
import type { JobContext } from "../../workers/job.ts";
import type { Cacheable } from "../../workers/thread-cache.ts";
import type { ItemViewer } from "./repositories-store.ts";
import { textQuery } from "./texts.ts";
import { type TextHits, textHitsEverywhere, textHitsInRepo, trigramsBeginning } from "./texts-store.ts";

export interface TextSearch {
  /** Where the database is. */
  readonly path: string;
  readonly words: readonly string[];
  /** In this repository, which the reader may see; or in all, as far as they may read the items. */
  readonly scope: { readonly repoId: number } | ItemViewer;
  /** So many of the newest texts that match are looked at. */
  readonly maxTexts: number;
}

/** The database, open for reading for as long as the thread caches it. */
class OpenDatabase implements Cacheable {
  readonly db: Database;

  constructor(path: string) {
    this.db = new Database(path, { readonly: true });
  }

  close(): void {
    this.db.close();
  }
}

/** The items with a text that has all the words. */
export function run({ path, words, scope, maxTexts }: TextSearch, { cached }: JobContext): TextHits {
  const { db } = cached(OpenDatabase, path);
  const beginning = (word: string) => trigramsBeginning(db, word.toLowerCase());
  const query = textQuery(words, "repoId" in scope ? scope.repoId : undefined, beginning);
  if (query === undefined) return { ids: "[]", texts: 0 };
  return "repoId" in scope ? textHitsInRepo(db, query, maxTexts) : textHitsEverywhere(db, query, scope, maxTexts);
}
