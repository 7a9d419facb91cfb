import type { Database } from "../../db/database.ts";
import type { FollowService } from "../../stars/service.ts";
import type { Issue } from "../types.ts";
import { audienceOf } from "./store.ts";

/** Someone notified about an item, and why. */
export interface Listener {
  readonly userId: number;
  readonly standing: "author" | "participating" | "watching";
}

/** Who is notified of what happens to an item (contract issues.md 9.1, 20.2). */
export class Audience {
  constructor(
    private readonly db: Database,
    private readonly watches: FollowService,
  ) {}

  /** Who is notified of what happens to a repository. */
  ofRepo(repoId: number): Listener[] {
    return this.watches.followerIds(repoId).map((userId) => ({ userId, standing: "watching" }));
  }

  /**
   * Everyone to be notified about the item, except those who opted out. The caller must check that each may still read
   * it.
   * @param withWatchers include watchers of the repository
   * @param until people who joined later than this (milliseconds since 1970) are left out
   */
  of(
    issue: Pick<Issue, "id" | "repoId">,
    { until, withWatchers }: { readonly until: number; readonly withWatchers: boolean },
  ): Listener[] {
    const people = audienceOf(this.db, issue.id, until);
    const silent = new Set(people.flatMap(({ isWatching, userId }) => (isWatching === 0 ? [userId] : [])));
    const listeners = new Map<number, Listener>();
    if (withWatchers)
      for (const userId of this.watches.followerIds(issue.repoId))
        if (!silent.has(userId)) listeners.set(userId, { userId, standing: "watching" });
    for (const { isAssigned, isPoster, isWatching, tookPart, userId } of people) {
      if (isWatching === 0) continue;
      const standing = isPoster ? "author" : isAssigned || tookPart ? "participating" : "watching";
      listeners.set(userId, { userId, standing });
    }
    return [...listeners.values()];
  }
}
