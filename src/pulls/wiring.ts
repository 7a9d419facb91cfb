import { asAccount, operator } from "../access/principal.ts";
import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import type { MergeSchedule } from "./merge/schedule.ts";
import type { BranchUpdates } from "./merge/update.ts";
import type { PullPushes } from "./pushes.ts";
import type { MergeQueue } from "./queue/service.ts";
import type { Departure } from "./queue/types.ts";
import type { PullService } from "./service.ts";
import type { PullState } from "./state.ts";
import * as store from "./store.ts";
import { isDraft } from "./values.ts";

export interface WiredPulls {
  readonly core: Core;
  readonly services: Services;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly queue: MergeQueue;
  readonly schedule: MergeSchedule;
  readonly state: PullState;
  readonly updates: BranchUpdates;
}

/** How pull requests react to events elsewhere; all within the transaction of the event. */
export function wirePulls({ core, services, pulls, pushes, queue, schedule, state, updates }: WiredPulls): void {
  const { db, jobs, outbox } = core;
  const { commitReferences, identity, issues, itemStates, pushRules, refs } = services;
  const follow = (issueId: number, userId: number | undefined) =>
    jobs.enqueue("pull.pushed", { issueId, userId: userId ?? null });

  refs.addFollower((folderId, moves) => pushes.follow(folderId, moves));
  outbox.react("refs.changed", (context, { moves }) => pushes.moved(context, moves));
  outbox.react("branch.renamed", ({ repoId }, { from, to }) => {
    if (repoId !== undefined) store.renameBranch(db, repoId, from, to);
  });
  outbox.react("repo.deleted", ({ principal, repoId }) => {
    if (repoId !== undefined) pushes.repoDeleted(repoId, principal?.userId);
  });
  outbox.react("issue.deleted", ({ repoId }, { isPull, number }) => {
    if (repoId !== undefined && isPull) pushes.pullDeleted(repoId, number, operator);
  });
  outbox.react("issue.restored", ({ repoId }, { isPull, issueId }) => {
    if (repoId !== undefined && isPull) pushes.pullRestored(repoId, issueId);
  });
  outbox.react("user.renamed", ({ ownerId }, { from, to }) => {
    if (ownerId !== undefined) store.renamePusher(db, ownerId, from, to);
  });

  itemStates.addGuard((item, isClosed) => {
    const found = item.issue.isPull ? pulls.of(item) : undefined;
    if (found) state.guard(found, isClosed);
  });
  outbox.react("issue.state-changed", ({ principal }, { isClosed, isPull, issueId }) => {
    if (!isPull || isClosed) return;
    // Its branches may have moved while it was closed.
    store.setStatus(db, issueId, "checking");
    follow(issueId, principal?.userId);
  });
  issues.onText((item, before) => {
    // Code owners are asked once it is no longer a draft.
    if (item.issue.isPull && before && isDraft(before.title) && !isDraft(item.issue.title))
      follow(item.issue.id, item.seen.principal.user?.id);
  });

  const recheckAll = (repoId: number | undefined) => {
    if (repoId !== undefined) for (const branch of store.openBases(db, repoId)) pushes.recheckBase(repoId, branch);
  };
  outbox.react("branch-protections.changed", ({ repoId }) => recheckAll(repoId));
  outbox.react("repo.edited", ({ repoId }, { fields }) => {
    // What counts as a conflict may have changed.
    if (fields.includes("ignoreWhitespaceConflicts")) recheckAll(repoId);
  });
  outbox.react("commit-status.created", ({ repoId }, { commit, state: said }) => {
    if (repoId !== undefined && (said === "success" || said === "skipped")) schedule.evaluateAt(repoId, commit);
  });
  const leave = (issueId: number, why: Departure) => {
    const item = pulls.byId(operator, issueId);
    if (item) queue.takeOut(item, why);
  };
  outbox.react("pull.synchronized", ({ principal }, { issueId }) => {
    leave(issueId, "pushed");
    const pusher = principal?.userId === undefined ? undefined : identity.byId(principal.userId);
    const item = pulls.byId(operator, issueId);
    if (pusher && item) schedule.pushed(item, pulls.byId(asAccount(pusher), issueId));
    schedule.evaluate(issueId);
  });
  outbox.react("pull.retargeted", (_context, { issueId }) => leave(issueId, "pushed"));
  outbox.react("issue.state-changed", (_context, { isClosed, isPull, issueId }) => {
    if (isPull && isClosed) leave(issueId, "closed");
  });
  outbox.react("commit-status.created", ({ repoId }, { commit }) => {
    if (repoId !== undefined) queue.wakeFor(repoId, commit);
  });
  outbox.react("branch-protections.changed", ({ repoId }) => {
    if (repoId !== undefined) queue.wakeAll(repoId);
  });
  outbox.react("refs.changed", ({ repoId }, { moves }) => {
    if (repoId !== undefined && moves.some(({ name }) => name.startsWith("refs/heads/"))) queue.wakeAll(repoId);
  });

  outbox.react("pull.reviewed", (_context, { issueId }) => schedule.evaluate(issueId));
  outbox.react("pull.review-dismissed", (_context, { issueId }) => schedule.evaluate(issueId));
  outbox.react("pull.checked", (_context, { issueId }) => schedule.evaluate(issueId));

  commitReferences.exempt(({ issue }, commitId) => store.findPull(db, issue.id)?.mergeCommit === commitId);
  pushRules.addWriters((seen, name) => {
    if (!seen.principal.user || name?.startsWith("refs/heads/") === false) return false;
    const branch = name?.slice("refs/heads/".length);
    return store.openFromRepo(db, seen.repo.id).some((pull) => {
      if (!pull.allowsMaintainerEdit || (branch !== undefined && pull.headBranch !== branch)) return false;
      const item = pulls.byId(seen.principal, pull.issueId);
      return item !== undefined && updates.maintains(item, seen, false);
    });
  });
}
