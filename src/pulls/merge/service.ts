import { accountOf } from "../../access/principal.ts";
import type { ReplayService } from "../../content/replays/service.ts";
import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { ReplayConflict, ReplayOutcome } from "../../git/replay/pick.ts";
import type { ReplayAction } from "../../git/replay/replay.job.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { Conflict, Failure, Locked, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import type { LfsSharing } from "../../lfs/sharing.ts";
import type { RefService } from "../../repos/refs/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { PullChecks } from "../checks/service.ts";
import type { PullPushes } from "../pushes.ts";
import type { PullService } from "../service.ts";
import { findPull } from "../store.ts";
import { isMerged, type SeenPull } from "../types.ts";
import type { BranchRemoval } from "./branch-removal.ts";
import type { ManualMerges } from "./by-hand.ts";
import type { MergeConditions } from "./conditions.ts";
import type { MergeMessages } from "./messages.ts";
import type { MergeRecord } from "./record.ts";
import type { MergeSchedule } from "./schedule.ts";
import type { MergeRequest, MergeResult, MergeStyle } from "./types.ts";

export interface MergeParts {
  readonly checks: PullChecks;
  readonly clock: Clock;
  /** Whether a squash committed by someone else names its author. */
  readonly coAuthors: boolean;
  readonly conditions: MergeConditions;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly lfsSharing: LfsSharing;
  readonly links: Links;
  readonly manual: ManualMerges;
  readonly messages: MergeMessages;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly record: MergeRecord;
  readonly refs: RefService;
  readonly removal: BranchRemoval;
  readonly replays: ReplayService;
  readonly schedule: MergeSchedule;
}

/** A merge that needs a person: conflicting files or commits. */
export class MergeConflict extends Conflict {
  override name = "MergeConflict";
  constructor(
    readonly style: MergeStyle,
    /** The output git would print. */
    readonly output: string,
    /** The first commit that could not be replayed. */
    readonly commit: Oid | undefined,
  ) {
    super("pull.conflict");
  }
}

/** How often a merge is repeated because the base moved meanwhile. */
const MAX_ATTEMPTS = 3;
/** A signal that never fires. */
const NEVER = new AbortController().signal;

/** Merges pull requests (contract pulls.md 5.10 and 9). */
export class PullMerges {
  /** One merge per repository at a time: parallel ones would only wait for each other's branch. */
  private readonly turns = new Semaphore(1);

  constructor(private readonly parts: MergeParts) {}

  /**
   * @throws Failure 405 if it may not be merged now; NotFound if it is closed; Conflict if the head is elsewhere, files
   *   conflict or the base moved; ValidationFailed
   */
  async merge(given: SeenPull, request: MergeRequest): Promise<MergeResult> {
    const { checks, conditions, manual, pulls, pushes, schedule } = this.parts;
    conditions.requireMergeable(given);
    if (request.style === "manually-merged") {
      conditions.requireAllowed(given, request.style);
      await manual.record(given, request.commitId);
      return "merged";
    }
    const item = await checks.settled(await pushes.caughtUp(given));
    // Checked again, as the wait may have been long.
    conditions.requireMergeable(item);
    await conditions.require(item, request.style, request);
    if (!request.isScheduled) await conditions.requireNoQueue(item, request.isForced);
    if (request.headCommitId !== "" && request.headCommitId !== item.pull.headOid)
      throw new Conflict("pull.head-out-of-date");
    if (request.isScheduled) {
      schedule.add(item, request);
      return "scheduled";
    }
    const leave = await this.turns.enter(item.seen.repo.id, NEVER);
    try {
      await this.make(pulls.refreshed(item), request);
    } finally {
      leave();
    }
    return "merged";
  }

  private async make(item: SeenPull, request: MergeRequest): Promise<void> {
    const { checks, conditions, crash, pulls, refs } = this.parts;
    // Another merge of the same pull request may have come first.
    conditions.requireMergeable(item);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.attempt(item, request);
        break;
      } catch (error) {
        if (!(error instanceof Conflict) || error.code !== "branch.changed") throw error;
        if (attempt === MAX_ATTEMPTS) throw new Conflict("pull.base-moved");
        const now = await checks.settled(pulls.refreshed(item));
        conditions.requireMergeable(now);
        if (now.pull.headOid !== item.pull.headOid) throw new Conflict("pull.head-out-of-date");
        await conditions.require(now, request.style, request);
      }
    }
    crash("merge.after-transaction");
    await refs.projected();
    await this.removeBranch(pulls.refreshed(item), request);
  }

  private async removeBranch(item: SeenPull, { deletesBranch }: MergeRequest): Promise<void> {
    if (deletesBranch ?? mergeSettings(item.seen.repo.settings).defaultDeleteBranchAfterMerge)
      await this.parts.removal.afterMerge(item);
  }

  private async attempt(item: SeenPull, request: MergeRequest): Promise<void> {
    const { conditions, pulls } = this.parts;
    const base = pulls.baseTip(item.pull);
    if (base === undefined) throw new Failure(405, "pull.not-mergeable");
    if (item.pull.mergeBase === undefined)
      throw new MergeConflict(request.style, "refusing to merge unrelated histories", undefined);
    const facts = { isApproved: conditions.isApproved(item), hasWaited: request.hasWaited ?? false };
    const outcome = await this.publish(item, base, await this.actionOf(item, base, request), facts).catch(
      (error: unknown) => {
        throw worded(error, request.style);
      },
    );
    if (outcome.kind === "conflict") throw conflictOf(request.style, outcome);
    if (outcome.kind !== "done" || outcome.commit === base) throw new Failure(405, "pull.nothing-to-merge");
  }

  /**
   * Creates the commit the base would become, on top of a possible future tip; it is stored, but no ref points at it.
   * @returns undefined if the two conflict or nothing would change
   */
  async candidate(item: SeenPull, request: MergeRequest, onto: Oid): Promise<Oid | undefined> {
    const { conditions, replays } = this.parts;
    const action = await this.actionOf(item, onto, request);
    try {
      const outcome = await replays.make(item.seen, action, undefined, conditions.isApproved(item));
      return outcome.kind === "done" && outcome.commit !== onto ? outcome.commit : undefined;
    } catch (error) {
      if (worded(error, request.style) instanceof MergeConflict) return undefined;
      throw error;
    }
  }

  /**
   * Moves the base to a commit made by `candidate`: what is merged is exactly what was tested.
   * @param alongside runs in the same transaction
   * @throws Conflict if the base (`branch.changed`) or the head has moved; Failure if a rule refuses it
   */
  async land(item: SeenPull, asked: MergeRequest, onto: Oid, commit: Oid, alongside: () => void): Promise<void> {
    const { crash, pulls, refs, replays } = this.parts;
    const branch = item.pull.baseBranch;
    const bringLargeFiles = await this.largeFiles(item, onto);
    const request = {
      branch,
      expected: onto,
      via: "merge" as const,
      permit: (now: SeenRepo) => this.permit(now, branch),
      alongside: () => {
        alongside();
        bringLargeFiles();
        this.finish(item, commit);
      },
    };
    await replays.move(item.seen, request, commit);
    crash("merge-queue.after-transaction");
    await refs.projected();
    await this.removeBranch(pulls.refreshed(item), asked);
  }

  private async publish(
    item: SeenPull,
    expected: Oid,
    action: ReplayAction,
    { hasWaited, isApproved }: { readonly hasWaited: boolean; readonly isApproved: boolean },
  ): Promise<ReplayOutcome> {
    const branch = item.pull.baseBranch;
    const bringLargeFiles = await this.largeFiles(item, expected);
    return this.parts.replays.publish(item.seen, {
      branch,
      expected,
      action,
      via: "merge",
      isApproved,
      permit: (now) => this.permit(now, branch),
      alongside: (commit) => {
        bringLargeFiles();
        this.finish(item, commit, hasWaited);
      },
    });
  }

  /**
   * The head's large files, which the merge gives to the base (contract pulls.md 9.4).
   * @returns a function that shares them
   */
  private async largeFiles({ pull, seen }: SeenPull, onto: Oid): Promise<() => void> {
    const { headOid, headRepoId: fromRepoId } = pull;
    if (fromRepoId === undefined) return () => {};
    return this.parts.lfsSharing.prepare({ fromRepoId, toRepoId: seen.repo.id, wants: [headOid], haves: [onto] });
  }

  /** @throws Failure 405 if the right was revoked meanwhile; Locked */
  private permit(seen: SeenRepo, branch: string): void {
    if (seen.repo.isArchived) throw new Locked("repository.archived");
    if (!this.parts.conditions.mayMerge(seen, branch)) throw new Failure(405, "pull.may-not-merge");
  }

  private async actionOf(item: SeenPull, base: Oid, request: MergeRequest): Promise<ReplayAction> {
    const ignoreSpaceChange = mergeSettings(item.seen.repo.settings).ignoreWhitespaceConflicts;
    return { ...(await this.styleOf(item, base, request)), ignoreSpaceChange };
  }

  private async styleOf(item: SeenPull, base: Oid, request: MergeRequest): Promise<ReplayAction> {
    const { headOid: head } = item.pull;
    switch (request.style) {
      case "fast-forward-only":
      case "manually-merged":
        return { kind: "fast-forward", base, head };
      case "rebase": {
        const lastMessage = await this.parts.messages.ofRebased(item);
        const action = { kind: "rebase", onto: base, upstream: base, branch: head } as const;
        return lastMessage === undefined ? action : { ...action, lastMessage: messageText(lastMessage) };
      }
      case "rebase-merge": {
        const message = await this.messageOf(item, request);
        return { kind: "rebase-merge", onto: base, upstream: base, branch: head, message };
      }
      case "squash":
        return this.squash(item, base, await this.messageOf(item, request));
      case "merge":
        return { kind: "merge", base, head, message: await this.messageOf(item, request) };
    }
  }

  /** Authored by the poster; if someone else commits it, the message names the poster, too. */
  private async squash(item: SeenPull, base: Oid, message: string): Promise<ReplayAction> {
    const { clock, links, messages } = this.parts;
    const committer = gitIdentityOf(accountOf(item.seen.principal), links);
    const author = (await messages.authorOf(item)) ?? committer;
    const isOther = author.name !== committer.name || author.email !== committer.email;
    return {
      kind: "squash",
      base,
      head: item.pull.headOid,
      message,
      mayBeEmpty: true,
      author: { ...author, timestamp: Math.floor(clock() / 1000), offsetMinutes: 0 },
      coAuthors: isOther && this.parts.coAuthors ? [author] : [],
    };
  }

  private async messageOf(item: SeenPull, { message, style, title }: MergeRequest): Promise<string> {
    const first = title.trim() || (await this.parts.messages.of(item, style)).title;
    const rest = message.trim();
    return messageText(rest === "" ? first : `${first}\n\n${rest}`);
  }

  /** Records the effects of the base's new tip, in its transaction. */
  private finish(item: SeenPull, commit: Oid, isScheduled = false): void {
    const { clock, crash, db, record, schedule } = this.parts;
    // It was cancelled while the merge was being made: the caller was told that nothing is merged.
    if (isScheduled && !schedule.of(item)) throw new NotFound();
    const now = findPull(db, item.issue.id);
    // Its head moved, or it was closed, after the checks: nothing may be written.
    if (!now?.isOpen || isMerged(now) || now.headOid !== item.pull.headOid) throw new Conflict("pull.head-out-of-date");
    const byId = item.seen.principal.user?.id;
    record.write(item, { at: clock(), byId, commit, isByHand: false, isScheduled });
    crash("merge.in-transaction");
  }
}

/** In the form a commit stores. */
const messageText = (text: string): string => `${text}\n`.replaceAll("\0", "");

function conflictOf(style: MergeStyle, { commit, merge }: ReplayConflict): MergeConflict {
  const said = merge.messages.map(({ text }) => text).join("");
  return new MergeConflict(style, said, style === "rebase" || style === "rebase-merge" ? commit : undefined);
}

/** Turns errors of replays and rules into merge errors. */
function worded(error: unknown, style: MergeStyle): unknown {
  // Unrelated histories, or a branch that cannot be fast-forwarded.
  if (error instanceof ValidationFailed && error.code === "replay.refused")
    return new MergeConflict(style, String(error.params["reason"] ?? ""), undefined);
  if (error instanceof Failure && error.status === 403)
    return new Conflict("pull.push-rejected", { params: { reason: error.code } });
  return error;
}
