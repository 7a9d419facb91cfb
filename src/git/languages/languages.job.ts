import { peelToTree } from "../graph/peel.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { type LanguageStatistics, languageStatistics } from "./statistics.ts";

export interface LanguagesInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** A commit, tag or tree. */
  readonly revision: Oid;
  /** The previous result. */
  readonly previous?: LanguageStatistics;
}

/** Bytes per language; undefined if the revision has no tree. */
export async function run(input: LanguagesInput): Promise<LanguageStatistics | undefined> {
  const store = ObjectStore.open(input.repoDir);
  try {
    const tree = peelToTree(store, input.revision);
    return tree === undefined ? undefined : languageStatistics(store, tree, input.previous);
  } finally {
    store.close();
  }
}
