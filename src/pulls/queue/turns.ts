import { asAccount, operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { MergeConditions } from "../merge/conditions.ts";
import type { PullMerges } from "../merge/service.ts";
import type { MergeRequest } from "../merge/types.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { MergeQueue } from "./service.ts";
import * as store from "./store.ts";
import { CANDIDATE_REFS, candidateRef, type Departure, type QueueEntry } from "./types.ts";

export interface TurnParts {
  readonly clock: Clock;
  readonly conditions: MergeConditions;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly log: Log;
  readonly merges: PullMerges;
  readonly pulls: PullService;
  readonly queue: MergeQueue;
  readonly refs: RefService;
  /** How long checks may take to report on a candidate, in milliseconds. */
  readonly timeoutMs: number;
}

/** How many are tested at once: those further behind wait until it is known what they would be tested on. */
const MAX_TESTED = 5;

/** The result of one pass over a queue: something changed, so look again; or everything left waits for others. */
type Look = "again" | "done";

/**
 * Advances a queue: builds candidates, each on top of the previous one, merges the first if its checks pass and removes
 * it if they fail; those behind it are then tested again. All state is in the database, so a run can be interrupted
 * anywhere and repeated.
 */
export class QueueTurns {
  constructor(private readonly parts: TurnParts) {}

  async run(repoId: number, branch: string, signal: AbortSignal): Promise<void> {
    let look: Look = "again";
    while (look === "again" && !signal.aborted) look = await this.look(repoId, branch);
    this.showCandidates(repoId);
    await this.parts.refs.projected();
  }

  private async look(repoId: number, branch: string): Promise<Look> {
    const { db, refs } = this.parts;
    const base = refs.find(repoId, `refs/heads/${branch}`)?.oid;
    const entries = store.entriesOf(db, repoId, branch);
    let onto = base;
    for (const [at, entry] of entries.slice(0, MAX_TESTED).entries()) {
      const item = this.itemOf(entry);
      if (!item || onto === undefined) return this.throwOut(entry, "refused");
      const problem = await this.problemOf(item, entry);
      if (problem) return this.throwOut(entry, problem.why, problem.reason);
      const candidate = entry.candidate?.onto === onto ? entry.candidate.oid : await this.build(item, entry, onto);
      // Behind others it may still fit once they are merged or removed.
      if (candidate === undefined) return at === 0 ? this.throwOut(entry, "conflict") : "done";
      if (at === 0) {
        const taken = await this.takeTurn(item, entry.id, onto, candidate);
        if (taken === "again") return "again";
      }
      onto = candidate;
    }
    return "done";
  }

  /** Handles the first of a queue: merges it, removes it, or waits for its checks. */
  private async takeTurn(item: SeenPull, id: number, onto: Oid, candidate: Oid): Promise<Look> {
    const { clock, db, queue, timeoutMs } = this.parts;
    const entry = store.findEntry(db, item.issue.id);
    if (entry?.id !== id || entry.candidate?.oid !== candidate) return "again";
    const state = queue.stateOf(item.seen, entry);
    if (state === "failed") return this.throwOut(entry, "checks");
    if (state === "ready") return this.merge(item, entry, onto, candidate);
    const leftMs = entry.candidate.madeAt + timeoutMs - clock();
    if (leftMs <= 0) return this.throwOut(entry, "timeout");
    queue.wake(entry.repoId, entry.branch, leftMs + 1_000);
    return "done";
  }

  private async merge(item: SeenPull, entry: QueueEntry, onto: Oid, candidate: Oid): Promise<Look> {
    const { db, log, merges } = this.parts;
    try {
      await merges.land(item, requestOf(entry), onto, candidate, () => {
        if (!store.deleteEntry(db, entry.id)) throw new Conflict("pull.not-queued");
      });
      return "again";
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.debug("an entry of a merge queue was not merged", { issue: entry.issueId, reason: error.code });
      // The base moved, or it left the queue: the next pass goes by the current state.
      if (error.code === "branch.changed" || error.code === "pull.not-queued") return "again";
      return this.throwOut(entry, "refused", error.code);
    }
  }

  /** @returns undefined if it conflicts */
  private async build(item: SeenPull, entry: QueueEntry, onto: Oid): Promise<Oid | undefined> {
    const { clock, db, merges } = this.parts;
    const oid = await merges.candidate(item, requestOf(entry), onto);
    if (oid === undefined) return undefined;
    store.setCandidate(db, entry.id, onto, oid, clock());
    return oid;
  }

  /** Why it may no longer be merged, whatever its checks report. */
  private async problemOf(
    item: SeenPull,
    entry: QueueEntry,
  ): Promise<{ readonly why: Departure; readonly reason?: string } | undefined> {
    const { conditions } = this.parts;
    const { pull, seen } = item;
    if (!pull.isOpen) return { why: "closed" };
    if (pull.headOid !== entry.headOid || pull.baseBranch !== entry.branch) return { why: "pushed" };
    if (seen.repo.isArchived) return { why: "refused", reason: "repository.archived" };
    try {
      conditions.requireMergeable(item);
      await conditions.requireQueueable(item, entry.style);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { why: "refused", reason: error.code };
    }
  }

  private itemOf(entry: QueueEntry): SeenPull | undefined {
    const { identity, pulls } = this.parts;
    const user = identity.byId(entry.userId);
    return user && !identity.accountProblem(user) ? pulls.byId(asAccount(user), entry.issueId) : undefined;
  }

  private throwOut(entry: QueueEntry, why: Departure, reason = ""): Look {
    const { pulls, queue } = this.parts;
    const item = pulls.byId(operator, entry.issueId);
    if (item) queue.takeOut(item, why, reason);
    else queue.forget(entry.issueId);
    return "again";
  }

  /** Queued entries get refs for their candidates, so that checks can fetch them and report on them. */
  private showCandidates(repoId: number): void {
    const { db, refs } = this.parts;
    db.transaction(() => {
      const wanted = new Map(
        [...store.numbersWithCandidates(db, repoId)].map(([number, oid]) => [candidateRef(number), oid]),
      );
      const present = new Map(refs.list(repoId, CANDIDATE_REFS).map(({ name, oid }) => [name, oid]));
      const changes = [...new Set([...wanted.keys(), ...present.keys()])]
        .map((name) => ({ name, oldOid: present.get(name) ?? null, newOid: wanted.get(name) ?? null }))
        .filter(({ newOid, oldOid }) => newOid !== oldOid);
      if (changes.length > 0) refs.change(repoId, { principal: operator, changes, atomic: true });
    });
  }
}

function requestOf({ deletesBranch, message, style, title }: QueueEntry): MergeRequest {
  return { style, title, message, deletesBranch, commitId: "", headCommitId: "", isForced: false, isScheduled: false };
}
