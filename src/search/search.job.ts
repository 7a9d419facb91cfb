import type { AccessParams } from "../access/conditions.ts";
import { decodeText } from "../content/texts.ts";
import type { Database } from "../db/database.ts";
import { cachedRepository } from "../git/cached-repository.ts";
import { isGenerated, isVendored } from "../git/languages/excluded.ts";
import { decodeName } from "../git/objects/names.ts";
import { repositoryDirectory } from "../repos/directory.ts";
import type { JobContext } from "../workers/job.ts";
import { expressionsOf } from "./expression.ts";
import { matchesIn } from "./matching.ts";
import type { Pattern } from "./pattern.ts";
import * as store from "./store.ts";
import { matchQuery } from "./trigrams.ts";
import type { FoundFile, FoundFiles } from "./types.ts";

export interface SearchInput {
  readonly indexPath: string;
  readonly mainPath: string;
  readonly pattern: Pattern;
  readonly language: string | undefined;
  /** The bytes of a path. */
  readonly path: Uint8Array | undefined;
  /** A single repository, which the reader may see; or all that the main database says they may. */
  readonly scope:
    | { readonly repoId: number; readonly repoDir: string }
    | { readonly isVisible: string; readonly params: AccessParams; readonly root: string };
  readonly skip: number;
  readonly limit: number;
}

/** Maximum number of files examined. */
const MAX_CANDIDATES = 5_000;
/** Time limit for finding the page, and for counting all matches. */
const PAGE_MS = 1_500;
const COUNT_MS = 60;
const MAX_LANGUAGES = 12;

/** Finds matching files: candidates from the index, then the files themselves. */
export function run(input: SearchInput, context: JobContext): FoundFiles {
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const { pattern, skip, limit } = input;
  const candidates = candidatesFor(input, context);
  if (candidates === undefined) return { files: [], total: 0, isPartial: false, languages: [], isMissing: true };
  const expressions = expressionsOf(pattern);
  const files: FoundFile[] = [];
  const matching: store.Candidate[] = [];
  let isPartial = candidates.length === MAX_CANDIDATES;
  for (const candidate of inOrder(candidates, pattern)) {
    if (context.signal.aborted || elapsed() > (matching.length > skip + limit ? COUNT_MS : PAGE_MS)) {
      isPartial = true;
      break;
    }
    const text = textOf(candidate, input, context);
    const matches = text === undefined ? undefined : matchesIn(text, pattern, expressions, () => elapsed() > PAGE_MS);
    if (!matches) continue;
    if (matching.length >= skip && files.length < limit) {
      const { repoId, commit, language } = candidate;
      files.push({ repoId, commit, language, path: decodeName(candidate.path), ...matches });
    }
    matching.push(candidate);
  }
  const languages = languagesOf(isPartial ? candidates : matching);
  return { files, total: matching.length, isPartial, languages, isMissing: false };
}

/** The index and the main database, open in this thread. */
class OpenIndex {
  readonly db: Database;

  /** @param name the index's identity, its path and the main database's path, one per line */
  constructor(name: string) {
    const [, path = "", mainPath = ""] = name.split("\n");
    this.db = store.openForSearch(path, mainPath);
  }

  close(): void {
    this.db.close();
  }
}

/** undefined if there is no index, or the repository is not in it. */
function candidatesFor(input: SearchInput, context: JobContext): store.Candidate[] | undefined {
  const { indexPath, mainPath, pattern, language, path, scope } = input;
  const identity = store.identityOf(indexPath);
  if (identity === undefined) return undefined;
  const { db } = context.cached(OpenIndex, [identity, indexPath, mainPath].join("\n"));
  const match = matchQuery(pattern.required);
  const query = { language, path, limit: MAX_CANDIDATES };
  if ("repoId" in scope) {
    if (store.indexedCommit(db, scope.repoId) === undefined) return undefined;
    return store.candidatesOf(db, scope.repoId, { ...query, match });
  }
  return match === undefined ? [] : store.candidatesSeen(db, { ...query, match }, scope);
}

function textOf({ repoId, oid }: store.Candidate, { scope }: SearchInput, context: JobContext): string | undefined {
  const repoDir = "repoId" in scope ? scope.repoDir : repositoryDirectory(scope.root, repoId);
  try {
    const data = cachedRepository(context, repoDir).store.read(oid)?.data;
    return data && decodeText(data);
  } catch (error) {
    // It was deleted a moment ago, along with its row.
    if ("repoId" in scope) throw error;
    return undefined;
  }
}

/** Files with matching names first, vendored or generated ones last; otherwise in index order. */
function inOrder(candidates: readonly store.Candidate[], { expressions, isLiteral }: Pattern): store.Candidate[] {
  const names = isLiteral ? expressions.map(({ source, flags }) => new RegExp(source, flags.replace("g", ""))) : [];
  const rankOf = (bytes: Uint8Array) => {
    const path = decodeName(bytes);
    if (isVendored(path) || isGenerated(path)) return 2;
    return names.length > 0 && names.every((name) => name.test(path)) ? 0 : 1;
  };
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate.path) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

function languagesOf(candidates: readonly store.Candidate[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of candidates) if (language !== "") counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_LANGUAGES)
    .map(([language]) => language);
}
