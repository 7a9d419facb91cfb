import { atLeast } from "../../access/levels.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { CommitSigning } from "../../content/signing/service.ts";
import { compileGlob } from "../../git/patterns/rule-glob.ts";
import type { ItemStates } from "../../issues/state.ts";
import { Failure, type FailureParams, NotFound } from "../../kernel/errors.ts";
import type { CheckState, MergeFacts } from "../../protections/branches/merge.ts";
import type { BranchProtections, MergeDecision } from "../../protections/branches/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { StatusService } from "../../statuses/service.ts";
import type { CommitStatus } from "../../statuses/types.ts";
import type { Reviews } from "../review/service.ts";
import type { PullService } from "../service.ts";
import { isMerged, type SeenPull } from "../types.ts";
import { isDraft } from "../values.ts";
import { type MergeStyle, settingOf } from "./types.ts";

export interface ConditionParts {
  readonly history: HistoryService;
  readonly itemStates: ItemStates;
  readonly protections: BranchProtections;
  readonly pulls: PullService;
  readonly reviews: Reviews;
  readonly signing: CommitSigning;
  readonly statuses: StatusService;
}

export interface HeadChecks {
  /** The newest status of each context. */
  readonly statuses: readonly { readonly status: CommitStatus; readonly isRequired: boolean }[];
  /** Required patterns that no status matches. */
  readonly missing: readonly string[];
}

/** The error for a merge that is not allowed (contract pulls.md 5.10). */
const notAllowed = (code: string, params: FailureParams = {}) => new Failure(405, code, { params });

/** Decides whether a pull request may be merged now, and by whom (contract pulls.md 5.10 and 11). */
export class MergeConditions {
  constructor(private readonly parts: ConditionParts) {}

  /** Whether the caller may merge into a branch at all. */
  mayMerge(seen: SeenRepo, branch: string): boolean {
    const { protections } = this.parts;
    const rule = protections.ruleOf(seen, branch);
    return rule ? protections.permissions.mayMerge(seen, rule) : atLeast(seen.access.on("code"), "write");
  }

  /** @throws Failure 405 if already merged, or not by this caller; NotFound if closed */
  requireMergeable({ pull, seen }: SeenPull): void {
    if (isMerged(pull)) throw notAllowed("pull.already-merged");
    if (!pull.isOpen) throw new NotFound();
    if (!this.mayMerge(seen, pull.baseBranch)) throw notAllowed("pull.may-not-merge");
  }

  /**
   * Checks everything a merge made here requires. Requirements of the branch's rule can be waited for, or overridden.
   * @throws Failure 405
   */
  async require(
    item: SeenPull,
    style: MergeStyle,
    { isForced, isScheduled }: { readonly isForced: boolean; readonly isScheduled: boolean },
  ): Promise<void> {
    const { issue, pull } = item;
    if (isDraft(issue.title)) throw notAllowed("pull.draft");
    if (pull.status !== "mergeable" && pull.status !== "empty") throw notAllowed("pull.not-mergeable");
    const { obstacle, mayBypass } = await this.decide(item);
    if (obstacle !== undefined && !isScheduled && !(isForced && mayBypass))
      throw notAllowed(`pull.obstacle-${obstacle}`);
    await this.requireSignatures(item, style);
    if (this.parts.itemStates.isBlocked(item)) throw notAllowed("pull.blocked");
    this.requireAllowed(item, style);
  }

  /**
   * Refuses a direct merge if the rule of the branch requires a merge queue; callers who may bypass the rule can force
   * one.
   * @throws Failure 405
   */
  async requireNoQueue(item: SeenPull, isForced: boolean): Promise<void> {
    const { pull, seen } = item;
    if (!this.parts.protections.wantsQueue(seen, pull.baseBranch)) return;
    if (!isForced || !(await this.decide(item)).mayBypass) throw notAllowed("pull.needs-queue");
  }

  /**
   * Checks everything a pull request in a merge queue requires: the same as for a merge, except what its candidate
   * determines (checks, being up to date, conflicts).
   * @throws Failure 405
   */
  async requireQueueable(item: SeenPull, style: MergeStyle): Promise<void> {
    const { issue, pull, seen } = item;
    if (isDraft(issue.title)) throw notAllowed("pull.draft");
    const facts = { ...(await this.facts(item)), checks: undefined, isOutdated: false };
    const { obstacle } = this.parts.protections.decideMerge(seen, pull.baseBranch, facts);
    if (obstacle !== undefined) throw notAllowed(`pull.obstacle-${obstacle}`);
    await this.requireSignatures(item, style);
    if (this.parts.itemStates.isBlocked(item)) throw notAllowed("pull.blocked");
    this.requireAllowed(item, style);
  }

  /** @throws Failure 405 if the repository does not allow the style */
  requireAllowed({ seen }: SeenPull, style: MergeStyle): void {
    if (!mergeSettings(seen.repo.settings)[settingOf[style]]) throw notAllowed("pull.style-off", { style });
  }

  /** The current verdict of the base branch's rule. */
  async decide(item: SeenPull): Promise<MergeDecision> {
    const { pull, seen } = item;
    return this.parts.protections.decideMerge(seen, pull.baseBranch, await this.facts(item));
  }

  /** The statuses of the head, and those the rule of the branch is still waiting for. */
  checks({ pull, seen }: SeenPull): HeadChecks {
    const { protections, statuses } = this.parts;
    const settings = protections.ruleOf(seen, pull.baseBranch)?.settings;
    const patterns = settings?.enableStatusCheck ? settings.statusCheckContexts : [];
    const globs = patterns.map((pattern) => ({ pattern, glob: compileGlob(pattern, "") }));
    const latest = statuses.latest(seen, pull.headOid);
    return {
      statuses: latest.map((status) => ({
        status,
        isRequired: globs.some(({ glob }) => glob.matches(status.context)),
      })),
      missing: globs
        .filter(({ glob }) => !latest.some(({ context }) => glob.matches(context)))
        .map(({ pattern }) => pattern),
    };
  }

  /** Whether it has an approval that counts. */
  isApproved(item: SeenPull): boolean {
    return this.verdicts(item).approvals.length > 0;
  }

  private async facts(item: SeenPull): Promise<MergeFacts> {
    const { history, pulls, statuses } = this.parts;
    const { pull, seen } = item;
    const base = pulls.baseTip(pull);
    const [distance] = base === undefined ? [] : await history.aheadBehind(seen, base, [pull.headOid]);
    const checks = statuses.latest(seen, pull.headOid).map(({ context, state }): CheckState => ({ context, state }));
    return {
      checks,
      ...this.verdicts(item),
      isOutdated: (distance?.behind ?? 0) > 0,
      changesProtectedFiles: pull.protectedFiles.length > 0,
    };
  }

  private verdicts({ issue }: SeenPull) {
    const counted = this.parts.reviews
      .ofEach([issue.id])
      .filter(({ isDismissed, isOfficial }) => isOfficial && !isDismissed);
    return {
      approvals: counted.filter(({ kind }) => kind === "approve").map(({ isStale }) => ({ isStale })),
      hasRejection: counted.some(({ kind }) => kind === "reject"),
      hasOfficialRequest: counted.some(({ kind }) => kind === "request"),
    };
  }

  /** Signatures required by the rule cannot be bypassed. */
  private async requireSignatures(item: SeenPull, style: MergeStyle): Promise<void> {
    const { protections, pulls, signing } = this.parts;
    const { pull, seen } = item;
    if (!protections.ruleOf(seen, pull.baseBranch)?.settings.requireSignedCommits) return;
    const base = pulls.baseTip(pull);
    if (base === undefined) return;
    if (style === "fast-forward-only" || style === "merge") {
      if (!(await signing.areVerified(seen, base, pull.headOid))) throw notAllowed("pull.head-not-verified");
      if (style === "fast-forward-only") return;
    }
    const isApproved = this.isApproved(item);
    const refusal = await signing.refusalOfMerge(seen, { base, head: pull.headOid, isApproved });
    if (refusal !== undefined) throw notAllowed("pull.wont-sign", { reason: refusal });
  }
}
