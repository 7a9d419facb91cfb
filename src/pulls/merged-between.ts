import type { HistoryService } from "../content/history/service.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { PullService } from "./service.ts";
import * as store from "./store.ts";
import type { SeenPull } from "./types.ts";

export interface MergedPulls {
  /** In the order in which they were merged. */
  readonly pulls: readonly SeenPull[];
  /** The first one of each account that had none merged before. */
  readonly firsts: readonly SeenPull[];
}

/** Maximum number of commits of a range that are searched, newest first. */
const MAX_COMMITS = 10_000;
const MAX_PULLS = 500;

/** Finds the pull requests merged within a range of history. */
export class MergedBetween {
  constructor(
    private readonly db: Database,
    private readonly history: HistoryService,
    private readonly pulls: PullService,
  ) {}

  /** @param from its history is excluded; absent: none is. @throws NotFound, Forbidden if they may not be read */
  async of(seen: SeenRepo, from: Oid | undefined, to: Oid): Promise<MergedPulls> {
    this.pulls.requireReadable(seen);
    const range = { tips: [to], not: from === undefined ? [] : [from], skip: 0, limit: MAX_COMMITS, count: false };
    const { oids } = await this.history.page(seen, range);
    const merged = store.mergedAsAny(this.db, seen.repo.id, oids).slice(-MAX_PULLS);
    const pulls = this.pulls.shown(
      seen,
      merged.map(({ issueId }) => issueId),
    );
    const posters = new Map<number, SeenPull>();
    for (const item of pulls)
      if (item.issue.posterId !== undefined && !posters.has(item.issue.posterId))
        posters.set(item.issue.posterId, item);
    const before = merged[0]?.mergedAt ?? 0;
    const firsts = store.firstMergedBy(this.db, seen.repo.id, [...posters.keys()], before);
    return { pulls, firsts: firsts.flatMap((id) => posters.get(id) ?? []) };
  }
}
