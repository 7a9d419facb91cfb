import type { BlameService } from "../../content/blame/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, TooLarge } from "../../kernel/errors.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobFailed, JobTimedOut } from "../../workers/pool.ts";
import type { SeenPull } from "../types.ts";
import { carriedTo } from "./line-map.ts";
import * as store from "./store.ts";
import type { CodeComment, CodeLine } from "./types.ts";

export interface StalenessParts {
  readonly blame: BlameService;
  readonly clock: Clock;
  readonly db: Database;
  readonly history: HistoryService;
  readonly protections: BranchProtections;
  readonly timeline: Timeline;
}

/** Files with comments that are examined after a push. */
const MAX_FILES = 100;
const DISMISSED = "New commits pushed, approval review dismissed automatically according to repository settings";

interface MovedComment extends CodeLine {
  readonly id: number;
}

/** The effect of a push on comments: their new positions, and those whose line is gone. */
export interface CarriedComments {
  readonly outdated: readonly number[];
  readonly moved: readonly MovedComment[];
}

/** The effects of a push on reviews and line comments (contract pulls.md 6.7 and 11.3). */
export class ReviewStaleness {
  constructor(private readonly parts: StalenessParts) {}

  /** Finds where commented lines are after the head changed. */
  async carry({ issue, pull, seen }: SeenPull, oldHead: Oid, mergeBase: Oid | undefined): Promise<CarriedComments> {
    const comments = store.freshComments(this.parts.db, issue.id);
    const old = comments.filter(({ line }) => line < 0);
    const own = comments.filter(({ line }) => line >= 0);
    const outdated: number[] = [];
    const moved: MovedComment[] = [];
    for (const [some, from, to] of [[own, oldHead, pull.headOid] as const, [old, pull.mergeBase, mergeBase] as const]) {
      if (some.length === 0 || from === to) continue;
      const filesByOldPath = from && to ? await this.changedFiles(seen, from, to, some) : undefined;
      for (const comment of some) {
        const place = filesByOldPath && carriedTo(comment, filesByOldPath.get(comment.path));
        if (!place) outdated.push(comment.id);
        else if (place !== comment) moved.push({ id: comment.id, ...place });
      }
    }
    return { outdated, moved };
  }

  /** The changed files among those with comments, by their old names. */
  private async changedFiles(seen: SeenRepo, from: Oid, to: Oid, comments: readonly CodeComment[]) {
    const { files } = await this.parts.history.fileDiffs(seen, {
      from,
      to,
      options: { words: false, context: 0 },
      only: [...new Set(comments.map(({ path }) => path))].slice(0, MAX_FILES),
      onlyByOldNames: true,
      limit: MAX_FILES,
    });
    return new Map(files.map((file) => [file.oldPath, file]));
  }

  /** Returns which commit last changed each line; undefined if that cannot be determined. */
  async commitsOfLines(
    seen: SeenRepo,
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
  headMoved(item: SeenPull, changesContent: boolean, { moved, outdated }: CarriedComments): void {
    const { clock, db, protections, timeline } = this.parts;
    const { issue, pull, seen } = item;
    store.setOutdated(db, outdated);
    store.moveComments(db, moved);
    store.setStale(db, issue.id, pull.headOid, changesContent);
    if (!changesContent || !protections.ruleOf(seen, pull.baseBranch)?.settings.dismissStaleApprovals) return;
    for (const { commitId, id, isDismissed, kind } of store.reviewsOf(db, issue.id, "all")) {
      if (kind !== "approve" || isDismissed || commitId === pull.headOid) continue;
      store.setDismissed(db, id, true, clock());
      timeline.append(item, { kind: "dismiss_review", body: DISMISSED, reviewId: id });
    }
  }
}
