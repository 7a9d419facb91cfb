import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { PullsByPush } from "./by-push.ts";
import { PullChanges } from "./changes/service.ts";
import { PullChecks } from "./checks/service.ts";
import { PullConflicts } from "./conflicts/service.ts";
import { PullCreation } from "./creation.ts";
import { PullEditing } from "./editing.ts";
import { PullHeads } from "./heads.ts";
import { PullImports } from "./imports/service.ts";
import { BranchRemoval } from "./merge/branch-removal.ts";
import { ManualMerges } from "./merge/by-hand.ts";
import { MergeConditions } from "./merge/conditions.ts";
import { MergeMessages } from "./merge/messages.ts";
import { MergeRecord } from "./merge/record.ts";
import { MergeSchedule } from "./merge/schedule.ts";
import { PullMerges } from "./merge/service.ts";
import { BranchUpdates } from "./merge/update.ts";
import { MergedBetween } from "./merged-between.ts";
import { PullObjects } from "./objects.ts";
import { PullPushes } from "./pushes.ts";
import { MergeQueue } from "./queue/service.ts";
import { QueueTurns } from "./queue/turns.ts";
import { RecentBranches } from "./recent-branches.ts";
import { Retargeting } from "./retargeting.ts";
import { Suggestions } from "./review/apply.ts";
import { CodeComments } from "./review/comments.ts";
import { Hunks } from "./review/hunks.ts";
import { OfficialReviewers } from "./review/official.ts";
import { CodeOwners } from "./review/owners.ts";
import { ReviewRequests } from "./review/requests.ts";
import { Reviews } from "./review/service.ts";
import { ReviewStaleness } from "./review/staleness.ts";
import { PullVersions } from "./review/versions.ts";
import { ViewedFiles } from "./review/viewed.ts";
import { PullService } from "./service.ts";
import { PullState } from "./state.ts";

declare module "../services.ts" {
  interface Services {
    readonly branchRemoval: BranchRemoval;
    readonly branchUpdates: BranchUpdates;
    readonly codeComments: CodeComments;
    readonly codeOwners: CodeOwners;
    readonly mergeConditions: MergeConditions;
    readonly mergedBetween: MergedBetween;
    readonly mergeMessages: MergeMessages;
    readonly mergeQueue: MergeQueue;
    readonly mergeSchedule: MergeSchedule;
    readonly pullChanges: PullChanges;
    readonly pullChecks: PullChecks;
    readonly pullConflicts: PullConflicts;
    readonly pullCreation: PullCreation;
    readonly pullEditing: PullEditing;
    readonly pullHeads: PullHeads;
    readonly pullImports: PullImports;
    readonly pullMerges: PullMerges;
    readonly pulls: PullService;
    readonly pullVersions: PullVersions;
    readonly recentBranches: RecentBranches;
    readonly reviewRequests: ReviewRequests;
    readonly reviews: Reviews;
    readonly suggestions: Suggestions;
    readonly viewedFiles: ViewedFiles;
  }
}

/** All services of pull requests, wired together. */
export function openPulls(core: Core, services: Services) {
  const { clock, config, crash, db, jobs, links, log, messages, outbox, pool } = core;
  const {
    attachments,
    blame,
    blocks,
    branches,
    collaborators,
    comments,
    commits,
    commitSigning,
    files,
    forks,
    history,
  } = services;
  const { identity, issues, itemReferences, itemStates, labelling, milestones, refs, replays, repos } = services;
  const { revisions, statuses, storage, teams, timeline } = services;
  const { branchProtections: protections } = services;

  const heads = new PullHeads(identity, repos, forks, refs, revisions);
  const pulls = new PullService(db, issues, identity, refs, heads);
  const changes = new PullChanges(history, pulls);
  const { lfsSharing } = services;
  const objects = new PullObjects(refs, storage, pool, lfsSharing);
  const checks = new PullChecks({
    clock,
    db,
    inactiveDays: config["pulls.check_inactive_days"],
    log,
    outbox,
    pool,
    protections,
    pulls,
    storage,
  });
  const state = new PullState({ db, itemStates, jobs, outbox, pulls, refs, repos, timeline });

  const official = new OfficialReviewers(repos, teams, protections);
  const staleness = new ReviewStaleness({ blame, clock, db, history, protections, timeline });
  const requests = new ReviewRequests({
    clock,
    collaborators,
    db,
    identity,
    issues,
    official,
    outbox,
    repos,
    teams,
    timeline,
  });
  const codeOwners = new CodeOwners({ db, files, identity, pool, pulls, refs, requests, storage });
  const hunks = new Hunks(history, files, storage);
  const codeComments = new CodeComments({
    attachments,
    clock,
    comments,
    db,
    hunks,
    issues,
    official,
    outbox,
    pulls,
    staleness,
    timeline,
  });
  const reviews = new Reviews({
    attachments,
    clock,
    codeComments,
    comments,
    db,
    identity,
    official,
    outbox,
    pool,
    pulls,
    requests,
    revisions,
    storage,
    teams,
    timeline,
  });

  const retargeting = new Retargeting({ db, identity, official, pool, state, storage, timeline });
  const pushes = new PullPushes({
    checks,
    db,
    identity,
    jobs,
    objects,
    outbox,
    owners: codeOwners,
    pool,
    pulls,
    refs,
    repos,
    retargeting,
    staleness,
    state,
    storage,
    timeline,
  });
  const creation = new PullCreation({
    attachments,
    blocks,
    checks,
    collaborators,
    crash,
    db,
    heads,
    issues,
    milestones,
    objects,
    owners: codeOwners,
    pool,
    pulls,
    refs,
    requests,
    storage,
    teams,
    timeline,
  });
  const imports = new PullImports({ checks, db, itemImports: services.itemImports, log, pulls, refs });
  const editing = new PullEditing({
    db,
    history,
    issues,
    labelling,
    milestones,
    pulls,
    pushes,
    refs,
    repos,
    retargeting,
  });

  const signing = commitSigning;
  const conditions = new MergeConditions({ history, itemStates, protections, pulls, reviews, signing, statuses });
  const mergeMessages = new MergeMessages({
    commits,
    files,
    history,
    identity,
    itemReferences,
    limits: {
      maxApprovers: config["pulls.message_max_approvers"],
      officialApproversOnly: config["pulls.message_official_approvers_only"],
      squashesMessages: config["pulls.squash_message"] === "commits",
      maxCommits: config["pulls.squash_message_max_commits"],
      maxBytes: config["pulls.squash_message_max_bytes"],
    },
    links,
    pulls,
    refs,
    repos,
    reviews,
    storage,
  });
  const record = new MergeRecord(db, outbox, itemStates);
  record.onMerge((item, commit) => itemReferences.merged(item, commit));
  record.onMerge(({ issue }) => queue.forget(issue.id));
  const schedule = new MergeSchedule(db, jobs, timeline, conditions, clock);
  const manual = new ManualMerges({ commits, db, history, identity, pulls, record, refs, storage });
  const removal = new BranchRemoval(pulls, repos, branches, protections, storage, timeline);
  const merges = new PullMerges({
    checks,
    clock,
    coAuthors: config["pulls.co_author_trailers"],
    conditions,
    crash,
    db,
    lfsSharing,
    links,
    manual,
    messages: mergeMessages,
    pulls,
    pushes,
    record,
    refs,
    removal,
    replays,
    schedule,
  });
  const queue = new MergeQueue({ clock, conditions, db, jobs, protections, pulls, statuses, timeline });
  const turns = new QueueTurns({
    clock,
    conditions,
    db,
    identity,
    log,
    merges,
    pulls,
    queue,
    refs,
    timeoutMs: config["pulls.queue_timeout_minutes"] * 60_000,
  });
  const updates = new BranchUpdates({
    conditions,
    history,
    identity,
    objects,
    protections,
    pulls,
    pushes,
    replays,
    repos,
    storage,
  });
  const conflicts = new PullConflicts({ history, objects, pool, pulls, pushes, replays, repos, storage, updates });

  const suggestions = new Suggestions({
    codeComments,
    edits: services.edits,
    files,
    identity,
    links,
    pulls,
    pushes,
    repos,
    storage,
    updates,
  });
  const viewedFiles = new ViewedFiles({ changes, clock, db, files, pool, revisions, storage });

  const pullVersions = new PullVersions({ changes, commits, db, history, pool, pulls, revisions, storage });

  const byPush = new PullsByPush({ commits, creation, db, history, links, messages, pulls, refs, state });
  checks.whenContained((item, base) => manual.notice(item, base));
  return {
    branchRemoval: removal,
    branchUpdates: updates,
    codeComments,
    codeOwners,
    mergeConditions: conditions,
    mergedBetween: new MergedBetween(db, history, pulls),
    mergeMessages,
    mergeQueue: queue,
    mergeSchedule: schedule,
    pullChanges: changes,
    pullChecks: checks,
    pullConflicts: conflicts,
    pullCreation: creation,
    pullEditing: editing,
    pullHeads: heads,
    pullImports: imports,
    pullMerges: merges,
    pulls,
    pullVersions,
    recentBranches: new RecentBranches({ clock, db, refs, repos }),
    reviewRequests: requests,
    reviews,
    suggestions,
    viewedFiles,
    byPush,
    pushes,
    state,
    turns,
  };
}
