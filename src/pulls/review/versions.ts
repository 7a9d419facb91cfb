import type { CommitService } from "../../content/commits/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import type { Database } from "../../db/database.ts";
import type { Signature } from "../../git/objects/signature.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import type { RangeDiffPair } from "../../git/range-diff/range-diff.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { PullChanges } from "../changes/service.ts";
import { forcedHeads } from "../push-entries.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import * as store from "./store.ts";

export interface VersionParts {
  readonly changes: PullChanges;
  readonly commits: CommitService;
  readonly db: Database;
  readonly history: HistoryService;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly revisions: RevisionService;
  readonly storage: RepoStorage;
}

/** Commits offered as ends of a partial diff. */
const MAX_LISTED = 50;

export interface ListedCommit {
  readonly oid: Oid;
  readonly subject: string;
  readonly committer: Signature;
}

/** Earlier states of a pull request: parts of its changes, and the effects of forced pushes. */
export class PullVersions {
  constructor(private readonly parts: VersionParts) {}

  /** Its commits, oldest first; only the newest if there are many. */
  async commits(item: SeenPull): Promise<ListedCommit[]> {
    const { changes, commits } = this.parts;
    const { oids } = await changes.commits(item, { limit: MAX_LISTED, offset: 0 });
    return commits
      .readAll(item.seen, oids)
      .map(({ commit, oid }) => ({
        oid,
        subject: commit.message.trimStart().split("\n", 1)[0] ?? "",
        committer: commit.committer,
      }))
      .reverse();
  }

  /** The head the caller last reviewed; undefined if none, if it is the current one, or if it is no longer stored. */
  lastReviewed({ issue, pull, seen }: SeenPull): Oid | undefined {
    const { user } = seen.principal;
    if (!user) return undefined;
    const last = store
      .reviewsOf(this.parts.db, issue.id, 0)
      .findLast(({ commitId, reviewerId }) => reviewerId === user.id && commitId !== "");
    return last && last.commitId !== pull.headOid && this.isStored(seen, last.commitId) ? last.commitId : undefined;
  }

  /**
   * The two ends of a partial diff: commits that may be shown, and former heads of the pull request.
   * @throws NotFound for any other
   */
  async range(item: SeenPull, from: string, to: string): Promise<{ readonly from: Oid; readonly to: Oid }> {
    const known = this.heads(item);
    for (const oid of [from, to]) if (!(await this.mayShow(item, oid, known))) throw new NotFound();
    return { from, to };
  }

  /** One of its commits and that commit's parent. @throws NotFound if it may not be shown */
  async single(item: SeenPull, oid: string): Promise<{ readonly from: Oid | undefined; readonly to: Oid }> {
    await this.range(item, oid, oid);
    return { from: this.parts.commits.read(item.seen, oid)?.commit.parents[0], to: oid };
  }

  /**
   * The commits of two versions, each paired with its counterpart.
   * @returns undefined if there are too many
   * @throws NotFound if the pull request never had these versions
   */
  async rangeDiff(item: SeenPull, from: string, to: string): Promise<readonly RangeDiffPair[] | undefined> {
    const { pool, pulls, storage } = this.parts;
    const { pull, seen } = item;
    const known = this.heads(item);
    if (![from, to].every((oid) => isOid(oid) && known.has(oid) && this.isStored(seen, oid))) throw new NotFound();
    const base = pulls.baseTip(pull) ?? pull.mergeBase ?? pull.headOid;
    const input = { repoDir: storage.dirOf(seen.repo.id), base: pull.mergeCommit ? (pull.mergeBase ?? base) : base };
    return (await pool.run("git.rangeDiff", { ...input, from, to }, { lane: "interactive" })) ?? undefined;
  }

  private async mayShow(item: SeenPull, oid: string, known: ReadonlySet<Oid>): Promise<boolean> {
    const { revisions } = this.parts;
    if (!isOid(oid)) return false;
    if (known.has(oid)) return this.isStored(item.seen, oid);
    return revisions.settled(() => revisions.mayShow(item.seen, oid));
  }

  /** Announced heads: everyone who can see the pull request could see them then. */
  private heads({ issue, pull }: SeenPull): Set<Oid> {
    const { db } = this.parts;
    const forced = store.pushEntries(db, issue.id).flatMap(({ body }) => {
      const heads = forcedHeads(body);
      return heads ? [heads.from, heads.to] : [];
    });
    const reviewed = store.reviewsOf(db, issue.id, 0).map(({ commitId }) => commitId);
    return new Set([pull.headOid, ...forced, ...reviewed].filter((oid) => oid !== ""));
  }

  private isStored({ repo }: SeenPull["seen"], oid: Oid): boolean {
    return this.parts.storage.objects(repo.id).has(oid);
  }
}
