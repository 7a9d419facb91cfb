import first from "./0001-first.sql" with { type: "text" };
import objectFormat from "./0002-object-format.sql" with { type: "text" };
import activityUnits from "./0003-activity-units.sql" with { type: "text" };
import blobs from "./0004-blobs.sql" with { type: "text" };
import avatars from "./0005-avatars.sql" with { type: "text" };
import eventsAndJobs from "./0006-events-and-jobs.sql" with { type: "text" };
import emailTokens from "./0007-email-tokens.sql" with { type: "text" };
import unwrittenRefs from "./0008-unwritten-refs.sql" with { type: "text" };
import stars from "./0009-stars.sql" with { type: "text" };
import scrubs from "./0010-scrubs.sql" with { type: "text" };
import jobNames from "./0011-job-names.sql" with { type: "text" };
import gitFolders from "./0012-git-folders.sql" with { type: "text" };
import topics from "./0013-topics.sql" with { type: "text" };
import forks from "./0014-forks.sql" with { type: "text" };
import organizations from "./0015-organizations.sql" with { type: "text" };
import transfers from "./0016-transfers.sql" with { type: "text" };
import keys from "./0017-keys.sql" with { type: "text" };
import protections from "./0018-protections.sql" with { type: "text" };
import statuses from "./0019-statuses.sql" with { type: "text" };
import follows from "./0020-follows.sql" with { type: "text" };
import oauth2 from "./0021-oauth2.sql" with { type: "text" };
import noticesAndBadges from "./0022-notices-and-badges.sql" with { type: "text" };
import signIn from "./0023-sign-in.sql" with { type: "text" };
import issues from "./0024-issues.sql" with { type: "text" };
import signingKeys from "./0025-signing-keys.sql" with { type: "text" };
import notifications from "./0026-notifications.sql" with { type: "text" };
import watchModes from "./0027-watch-modes.sql" with { type: "text" };
import sources from "./0028-sources.sql" with { type: "text" };
import projects from "./0029-projects.sql" with { type: "text" };
import pulls from "./0030-pulls.sql" with { type: "text" };
import issueSearch from "./0031-issue-search.sql" with { type: "text" };
import repositoryFlags from "./0032-repository-flags.sql" with { type: "text" };
import nameSearch from "./0033-name-search.sql" with { type: "text" };
import bin from "./0034-bin.sql" with { type: "text" };
import activityOfItems from "./0035-activity-of-items.sql" with { type: "text" };
import projectCounts from "./0036-project-counts.sql" with { type: "text" };
import deletedBranches from "./0037-deleted-branches.sql" with { type: "text" };
import releases from "./0038-releases.sql" with { type: "text" };
import smtpSources from "./0039-smtp-sources.sql" with { type: "text" };
import teamInvitations from "./0040-team-invitations.sql" with { type: "text" };
import reviews from "./0041-reviews.sql" with { type: "text" };
import issueOrders from "./0042-issue-orders.sql" with { type: "text" };
import mergeQueue from "./0043-merge-queue.sql" with { type: "text" };
import itemBin from "./0044-item-bin.sql" with { type: "text" };
import itemMails from "./0045-item-mails.sql" with { type: "text" };
import importedItems from "./0046-imported-items.sql" with { type: "text" };
import hiddenEntries from "./0047-hidden-entries.sql" with { type: "text" };
import quotas from "./0048-quotas.sql" with { type: "text" };
import webhooks from "./0049-webhooks.sql" with { type: "text" };
import sessionSources from "./0050-session-sources.sql" with { type: "text" };
import federation from "./0051-federation.sql" with { type: "text" };
import repositoryLists from "./0052-repository-lists.sql" with { type: "text" };
import accountLists from "./0053-account-lists.sql" with { type: "text" };
import labelPriorities from "./0054-label-priorities.sql" with { type: "text" };
import actionsValues from "./0055-actions-values.sql" with { type: "text" };
import actionsRunners from "./0056-actions-runners.sql" with { type: "text" };
import followedLists from "./0057-followed-lists.sql" with { type: "text" };
import actionsRuns from "./0058-actions-runs.sql" with { type: "text" };
import actionsSchedules from "./0059-actions-schedules.sql" with { type: "text" };
import actionsArtifacts from "./0060-actions-artifacts.sql" with { type: "text" };
import runnersByCall from "./0061-runners-by-call.sql" with { type: "text" };
import newestTextsFirst from "./0062-newest-texts-first.sql" with { type: "text" };
import listChanges from "./0063-list-changes.sql" with { type: "text" };
import sshHostKeys from "./0064-ssh-host-keys.sql" with { type: "text" };
import packages from "./0065-packages.sql" with { type: "text" };
import lfs from "./0066-lfs.sql" with { type: "text" };
import mirrors from "./0067-mirrors.sql" with { type: "text" };
import runConcurrency from "./0068-run-concurrency.sql" with { type: "text" };
import packagesByTime from "./0069-packages-by-time.sql" with { type: "text" };
import packageFilesByOwner from "./0070-package-files-by-owner.sql" with { type: "text" };
import actionsReaders from "./0071-actions-readers.sql" with { type: "text" };
import packageIndices from "./0072-package-indices.sql" with { type: "text" };
import packageFilesByVersionKey from "./0073-package-files-by-version-key.sql" with { type: "text" };
import importedWork from "./0074-imported-work.sql" with { type: "text" };
import boundedWork from "./0075-bounded-work.sql" with { type: "text" };
import runMails from "./0076-run-mails.sql" with { type: "text" };
import commitCounts from "./0077-commit-counts.sql" with { type: "text" };
import importedAuthorsAndFiles from "./0078-imported-authors-and-files.sql" with { type: "text" };
import recentPushes from "./0079-recent-pushes.sql" with { type: "text" };

export interface Migration {
  readonly sql: string;
  /**
   * Drops a table and puts a new one in its place (create `new_x`, copy, drop `x`, rename). Foreign keys are off
   * meanwhile, so that dropping `users` deletes no sessions; all references must be valid again at the end.
   */
  readonly rebuildsTables?: true;
}

/** In order: migration n leads to schema version n. Never edited after it has landed. */
export const migrations: readonly Migration[] = [
  { sql: first },
  { sql: objectFormat },
  { sql: activityUnits },
  { sql: blobs },
  { sql: avatars },
  { sql: eventsAndJobs, rebuildsTables: true },
  { sql: emailTokens },
  { sql: unwrittenRefs },
  { sql: stars },
  { sql: scrubs },
  { sql: jobNames },
  { sql: gitFolders, rebuildsTables: true },
  { sql: topics },
  { sql: forks },
  { sql: organizations },
  { sql: transfers },
  { sql: keys },
  { sql: protections },
  { sql: statuses },
  { sql: follows },
  { sql: oauth2 },
  { sql: noticesAndBadges },
  { sql: signIn },
  { sql: issues },
  { sql: signingKeys },
  { sql: notifications },
  { sql: watchModes },
  { sql: sources },
  { sql: projects },
  { sql: pulls },
  { sql: issueSearch },
  { sql: repositoryFlags },
  { sql: nameSearch },
  { sql: bin },
  { sql: activityOfItems },
  { sql: projectCounts },
  { sql: deletedBranches },
  { sql: releases },
  { sql: smtpSources, rebuildsTables: true },
  { sql: teamInvitations },
  { sql: reviews },
  { sql: issueOrders },
  { sql: mergeQueue },
  { sql: itemBin },
  { sql: itemMails },
  { sql: importedItems },
  { sql: hiddenEntries },
  { sql: quotas },
  { sql: webhooks },
  { sql: sessionSources },
  { sql: federation },
  { sql: repositoryLists },
  { sql: accountLists },
  { sql: labelPriorities },
  { sql: actionsValues },
  { sql: actionsRunners },
  { sql: followedLists },
  { sql: actionsRuns },
  { sql: actionsSchedules },
  { sql: actionsArtifacts },
  { sql: runnersByCall },
  { sql: newestTextsFirst },
  { sql: listChanges },
  { sql: sshHostKeys },
  { sql: packages },
  { sql: lfs },
  { sql: mirrors },
  { sql: runConcurrency },
  { sql: packagesByTime },
  { sql: packageFilesByOwner },
  { sql: actionsReaders },
  { sql: packageIndices },
  { sql: packageFilesByVersionKey },
  { sql: importedWork, rebuildsTables: true },
  { sql: boundedWork },
  { sql: runMails },
  { sql: commitCounts },
  { sql: importedAuthorsAndFiles },
  { sql: recentPushes },
];
