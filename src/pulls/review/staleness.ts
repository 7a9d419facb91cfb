import type { BlameService } from "../../content/blame/service.ts";
import type { Database } from "../../db/database.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, TooLarge } from "../../kernel/errors.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import { JobFailed, JobTimedOut } from "../../workers/pool.ts";
import type { SeenPull } from "../types.ts";
import * as store from "./store.ts";

export interface StalenessParts {
  readonly blame: BlameService;
  readonly clock: Clock;
  readonly db: Database;
  readonly protections: BranchProtections;
  readonly timeline: Timeline;
}

/** Files with comments that are looked through after a push. */
const MAX_FILES = 100;
const DISMISSED = "New commits pushed, approval review dismissed automatically according to repository settings";

/** What a push makes of reviews and of comments on lines (contract pulls.md 6.7 and 11.3). */
export class ReviewStaleness {
  constructor(private readonly parts: StalenessParts) {}

  /** Numbers of the comments whose line is not there any more as it was. */
  async outdatedComments({ issue, pull, seen }: SeenPull): Promise<number[]> {
    const comments = store.freshComments(this.parts.db, issue.id).filter(({ line }) => line > 0);
    const outdated: number[] = [];
    for (const path of [...new Set(comments.map((comment) => comment.path))].slice(0, MAX_FILES)) {
      const lines = await this.commitsOfLines(seen, pull.headOid, path);
      if (!lines) continue;
      for (const comment of comments)
        if (comment.path === path && lines(comment.line) !== comment.commitId) outdated.push(comment.id);
    }
    return outdated;
  }

  /** Says which commit brought a line; undefined: that cannot be found out. */
  async commitsOfLines(
    seen: SeenPull["seen"],
    commit: string,
    path: string,
  ): Promise<((line: number) => string | undefined) | undefined> {
    try {
      const { ranges } = await this.parts.blame.of(seen, { commit, path, ignored: [] });
      return (line) => ranges.find((range) => line > range.line && line <= range.line + range.count)?.file.commit;
    } catch (error) {
      if (error instanceof NotFound) return () => undefined;
      if (error instanceof TooLarge || error instanceof JobTimedOut || error instanceof JobFailed) return undefined;
      throw error;
    }
  }

  /** Joins the running transaction. */
  headMoved(item: SeenPull, changesContent: boolean, outdated: readonly number[]): void {
    const { clock, db, protections, timeline } = this.parts;
    const { issue, pull, seen } = item;
    store.setOutdated(db, outdated);
    store.setStale(db, issue.id, pull.headOid, changesContent);
    if (!changesContent || !protections.ruleOf(seen, pull.baseBranch)?.settings.dismissStaleApprovals) return;
    for (const { commitId, id, isDismissed, kind } of store.reviewsOf(db, issue.id, "all")) {
      if (kind !== "approve" || isDismissed || commitId === pull.headOid) continue;
      store.setDismissed(db, id, true, clock());
      timeline.append(item, { kind: "dismiss_review", body: DISMISSED, reviewId: id });
    }
  }
}
