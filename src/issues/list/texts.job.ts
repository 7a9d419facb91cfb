import { Database } from "../../db/database.ts";
import type { JobContext } from "../../workers/job.ts";
import type { Cacheable } from "../../workers/thread-cache.ts";
import type { ItemViewer } from "./repositories-store.ts";
import { textQuery } from "./texts.ts";
import { type TextHits, textHitsEverywhere, textHitsInRepo, trigramsBeginning } from "./texts-store.ts";

export interface TextSearch {
  /** Path of the database. */
  readonly path: string;
  readonly words: readonly string[];
  /** This repository, which the reader may see; or all, limited to items they may read. */
  readonly scope: { readonly repoId: number } | ItemViewer;
  /** How many of the newest matching texts are examined. */
  readonly maxTexts: number;
}

/** The database, open for reading while the thread caches it. */
class OpenDatabase implements Cacheable {
  readonly db: Database;

  constructor(path: string) {
    this.db = new Database(path, { readonly: true });
  }

  close(): void {
    this.db.close();
  }
}

/** The items with a text that contains all the words. */
export function run({ path, words, scope, maxTexts }: TextSearch, { cached }: JobContext): TextHits {
  const { db } = cached(OpenDatabase, path);
  const beginning = (word: string) => trigramsBeginning(db, word.toLowerCase());
  const query = textQuery(words, "repoId" in scope ? scope.repoId : undefined, beginning);
  if (query === undefined) return { ids: "[]", texts: 0 };
  return "repoId" in scope ? textHitsInRepo(db, query, maxTexts) : textHitsEverywhere(db, query, scope, maxTexts);
}
