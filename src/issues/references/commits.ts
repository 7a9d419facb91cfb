import { asAccount } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Consumer } from "../../events/delivery.ts";
import type { DomainEvent } from "../../events/types.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Failure } from "../../kernel/errors.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { RefMove } from "../../repos/events.ts";
import type { CommitGraphs } from "../../repos/maintenance/graphs.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { ItemStates } from "../state.ts";
import type { Timeline } from "../timeline/service.ts";
import type { SeenIssue } from "../types.ts";
import type { ReferringCommit } from "./commits.job.ts";
import * as store from "./store.ts";
import type { ReferenceTargets } from "./targets.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Finds references and keywords in the messages of pushed commits. */
    "issues.read-commits": ReadCommits;
  }
}

interface ReadCommits {
  readonly repoId: number;
  readonly userId: number;
  readonly moves: readonly BranchMove[];
}

interface BranchMove {
  /** Full name of the branch. */
  readonly branch: string;
  readonly newOid: string;
  /** Commits known before the push, under any name. */
  readonly not: readonly string[];
}

export interface CommitReferenceNeeds {
  readonly commitGraphs: CommitGraphs;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly itemStates: ItemStates;
  readonly jobs: JobQueue;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
  readonly targets: ReferenceTargets;
  readonly timeline: Timeline;
  /** With a trailing slash. */
  readonly rootUrl: string;
}

/** Books the time stated in a commit, in the transaction in which the commit closes the item. */
export type BookTime = (item: SeenIssue, seconds: number, at: number) => void;
/** Whether a commit should leave no entry in the item's timeline, such as the merge of the pull request itself. */
export type Exemption = (item: SeenIssue, commitId: string) => boolean;

/** Max branches of one push that are read; nobody works on more at once. */
const MAX_BRANCHES = 50;
const TIME_LIMIT_MS = 5 * 60_000;

/** References in the messages of pushed commits (contract issues.md 18.4). */
export class CommitReferences implements Consumer {
  readonly name = "commit references";
  private readonly exemptions: Exemption[] = [];
  private bookTime: BookTime | undefined;

  constructor(private readonly needs: CommitReferenceNeeds) {
    needs.jobs.handle("issues.read-commits", {
      parse: (payload) => payload as ReadCommits,
      run: async (payload, { signal }) => {
        try {
          await this.read(payload, signal);
        } catch (error) {
          // Its repository was deleted meanwhile: nothing is left to do.
          if (needs.repos.byId(payload.repoId)) throw error;
        }
      },
      exclusionKey: ({ repoId }) => `commits of ${repoId}`,
      timeLimitMs: TIME_LIMIT_MS,
      maxTries: 3,
    });
  }

  /** Registers how time is booked; called by the time tracking area while it is wired. */
  bookWith(book: BookTime): void {
    this.bookTime = book;
  }

  exempt(exemption: Exemption): void {
    this.exemptions.push(exemption);
  }

  handle(event: DomainEvent): void {
    const { userId } = event.principal;
    const { repoId } = event;
    if (event.kind !== "refs.changed" || userId === undefined || repoId === undefined) return;
    const branches = event.payload.moves.filter(({ name }) => name.startsWith(BRANCHES));
    const read = branches.slice(0, MAX_BRANCHES).flatMap(({ name, newOid, oldOid }) => {
      const not = oldOid === null ? this.presentBefore(repoId, name, branches) : [oldOid];
      return newOid === null ? [] : [{ branch: name, newOid, not }];
    });
    // One job for all of them: a push of many branches would create thousands.
    if (read.length > 0) this.needs.jobs.enqueue("issues.read-commits", { repoId, userId, moves: read });
  }

  /**
   * The likely start of a new branch: the default branch, or the branches deleted in the same push, in case it was
   * renamed.
   */
  private presentBefore(repoId: number, name: string, moves: readonly RefMove[]): string[] {
    const { refs, repos } = this.needs;
    const removed = moves.flatMap(({ newOid, oldOid }) => (newOid === null && oldOid !== null ? [oldOid] : []));
    const standard = `${BRANCHES}${repos.byId(repoId)?.defaultBranch ?? ""}`;
    const tip = standard === name ? undefined : refs.find(repoId, standard)?.oid;
    return tip === undefined ? removed : [...removed, tip];
  }

  private async read({ moves, repoId, userId }: ReadCommits, signal: AbortSignal): Promise<void> {
    const { commitGraphs, identity, repos } = this.needs;
    // Without the graph, finding where a branch starts means reading its commits.
    await commitGraphs.bring(repoId, signal);
    const byMove = new Map<string, readonly ReferringCommit[]>();
    for (const { branch, newOid, not } of moves) {
      const key = [newOid, ...not].join(" ");
      const commits = byMove.get(key) ?? (await this.commitsOf(repoId, newOid, not, signal));
      byMove.set(key, commits);
      for (const commit of commits) {
        signal.throwIfAborted();
        await nextTurn();
        const user = identity.byId(userId);
        const seen = user && repos.seeById(asAccount(user), repoId);
        if (seen) this.apply(seen, branch, commit);
      }
    }
  }

  private commitsOf(repoId: number, tip: string, not: readonly string[], signal: AbortSignal) {
    const { pool, rootUrl, storage } = this.needs;
    const request = { repoDir: storage.dirOf(repoId), tips: [tip], not, rootUrl };
    return pool.run("issues.commits", request, { lane: "maintenance", signal });
  }

  private apply(seen: SeenRepo, branch: string, commit: ReferringCommit): void {
    const { targets } = this.needs;
    const references = commit.items.map(({ reference }) => reference);
    for (const [at, item] of targets.find(seen.principal, seen, references).entries()) {
      const { action = "none", seconds = 0 } = commit.items[at] ?? {};
      if (!item || targets.isBlockedFrom(item)) continue;
      this.tell(seen, item, commit);
      if (action !== "none" && targets.mayAct(item) && this.countsOn(seen, item, branch))
        this.act(item, action === "closes", commit.id, { seconds, at: commit.at });
    }
  }

  private tell(seen: SeenRepo, item: SeenIssue, { id, subject }: ReferringCommit): void {
    const { db, timeline } = this.needs;
    if (this.exemptions.some((isExempt) => isExempt(item, id))) return;
    const href = `/${seen.owner.login}/${seen.repo.name}/commit/${id}`;
    const body = `<a href="${Bun.escapeHTML(href)}">${Bun.escapeHTML(subject)}</a>`;
    db.transaction(() => {
      if (!store.hasCommitEntry(db, item.issue.id, id))
        timeline.append(item, { kind: "commit_ref", commitId: id, body });
    });
  }

  /**
   * Keywords count on the default branch, or the branch the issue is about; on every branch if the repository is set
   * so.
   */
  private countsOn({ repo }: SeenRepo, { issue }: SeenIssue, branch: string): boolean {
    if (repo.settings.closesFromAnyBranch) return true;
    const wanted = issue.ref === "" ? repo.defaultBranch : issue.ref;
    return branch === (wanted.startsWith("refs/") ? wanted : `${BRANCHES}${wanted}`);
  }

  /** All or nothing: if an item cannot be closed yet, no time is booked for it either. */
  private act(
    item: SeenIssue,
    closes: boolean,
    commitId: string,
    time: { readonly seconds: number; readonly at: number },
  ): void {
    const { db, itemStates } = this.needs;
    if (item.issue.isClosed === closes) return;
    try {
      db.transaction(() => {
        if (!itemStates.set(item, closes, { commitId })) return;
        if (closes && time.seconds > 0) this.bookTime?.(item, time.seconds, time.at);
      });
    } catch (error) {
      // It depends on something open, or is a merged pull request: it stays as it is.
      if (!(error instanceof Failure)) throw error;
    }
  }
}
