import type { Commits } from "../../git/graph/commits.ts";
import { countCommits, type LogOptions, log } from "../../git/history/log.ts";
import type { Oid } from "../../git/objects/types.ts";

/** A range of history, and which page of it. */
export interface HistoryRequest extends LogOptions {
  readonly skip: number;
  readonly limit: number;
  /** Whether to count the whole range, too. */
  readonly count: boolean;
}

export interface HistoryPage {
  readonly oids: Oid[];
  /** Whether more commits follow. */
  readonly more: boolean;
  readonly total: number | undefined;
}

/**
 * A page of history, newest first.
 * @throws CorruptObject if a commit or tree it needs is missing
 */
export function historyPage(commits: Commits, request: HistoryRequest): HistoryPage {
  const { skip, limit, count, ...range } = request;
  const page = limit > 0 ? log(commits, range, skip, limit) : { oids: [], more: false };
  return { ...page, total: count ? countCommits(commits, range) : undefined };
}
