import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { PushEntries } from "./push-entries.ts";
import type { OfficialReviewers } from "./review/official.ts";
import { reviewsOf, setOfficial } from "./review/store.ts";
import { isVerdict } from "./review/types.ts";
import type { PullState } from "./state.ts";
import type { SeenPull } from "./types.ts";

export interface RetargetingParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly official: OfficialReviewers;
  readonly pool: WorkerPool;
  readonly state: PullState;
  readonly storage: RepoStorage;
  readonly timeline: Timeline;
}

/** Another base, and the pull request's own commits relative to it. */
export interface NewBase {
  readonly branch: string;
  readonly commits: readonly Oid[];
}

/** Gives pull requests another base, on request or when the old one is deleted (contract pulls.md 5.4 and 16). */
export class Retargeting {
  private readonly entries: PushEntries;

  constructor(private readonly parts: RetargetingParts) {
    this.entries = new PushEntries(parts.db, parts.timeline);
  }

  /** @param tip the tip of the branch */
  async prepare({ pull, seen }: SeenPull, branch: string, tip: Oid): Promise<NewBase> {
    const { pool, storage } = this.parts;
    const input = { repoDir: storage.dirOf(seen.repo.id), oldHead: undefined, newHead: pull.headOid, base: tip };
    return { branch, commits: (await pool.run("pulls.pushed", input)).commits };
  }

  /** Joins the running transaction. @throws Conflict if these branches already have one */
  apply(item: SeenPull, { branch, commits }: NewBase): void {
    this.parts.state.retarget(item, branch);
    this.entries.restart(item, commits);
    this.reviseOfficials(item, branch);
  }

  /** An approval that the new branch's rule does not count must stop counting: reviews are evaluated again. */
  private reviseOfficials({ issue, seen }: SeenPull, branch: string): void {
    const { db, identity, official } = this.parts;
    const latest = new Map<number, number>();
    const reviews = reviewsOf(db, issue.id, 0);
    for (const review of reviews)
      if (review.reviewerId !== undefined && (isVerdict(review) || review.kind === "request"))
        latest.set(review.reviewerId, review.id);
    for (const { id, reviewerId } of reviews) {
      const user = reviewerId !== undefined && latest.get(reviewerId) === id ? identity.byId(reviewerId) : undefined;
      if (reviewerId !== undefined) setOfficial(db, id, user !== undefined && official.isOfficial(seen, branch, user));
    }
  }
}
