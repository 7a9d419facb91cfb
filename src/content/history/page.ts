import type { Commits } from "../../git/graph/commits.ts";
import { countCommits, type LogOptions, log, walk } from "../../git/history/log.ts";
import type { Oid } from "../../git/objects/types.ts";

/** A range of history, and which page of it. */
export interface HistoryWishes extends LogOptions {
  /** Committer time in seconds since 1970, both inclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly skip: number;
  readonly limit: number;
  /** Count the whole range too. */
  readonly count: boolean;
}

export interface HistoryPage {
  readonly oids: Oid[];
  /** Whether there are further ones. */
  readonly more: boolean;
  readonly total: number | undefined;
}

/**
 * A page of history, newest first.
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function historyPage(commits: Commits, wishes: HistoryWishes): HistoryPage {
  const { since, until, skip, limit, count } = wishes;
  if (since === undefined && until === undefined && (!count || !wishes.path)) {
    const { oids, more } = log(commits, wishes, skip, limit);
    return { oids, more, total: count ? countCommits(commits, wishes) : undefined };
  }
  const oids: Oid[] = [];
  let passed = 0;
  for (const number of walk(commits, wishes)) {
    const time = commits.timeOf(number);
    if ((since !== undefined && time < since) || (until !== undefined && time > until)) continue;
    if (passed >= skip && oids.length < limit) oids.push(commits.oidOf(number));
    passed++;
    if (!count && passed > skip + limit) break;
  }
  return { oids, more: passed > skip + limit, total: count ? passed : undefined };
}
