import type { Database } from "../../db/database.ts";
import type { Issue } from "../types.ts";
import type { NewEntry, RefAction, TimelineEntry, TimelineKind } from "./types.ts";

interface EntryRow {
  id: number;
  issue_id: number;
  repo_id: number;
  kind: TimelineKind;
  user_id: number | null;
  body: string;
  content_version: number;
  label_id: number | null;
  old_milestone_id: number | null;
  milestone_id: number | null;
  old_project_id: number | null;
  project_id: number | null;
  assignee_id: number | null;
  team_id: number | null;
  is_removal: number;
  old_text: string;
  new_text: string;
  other_issue_id: number | null;
  other_entry_id: number | null;
  ref_action: RefAction;
  commit_id: string;
  tracked_time_id: number | null;
  created_at: number;
  updated_at: number;
}

function entryOf(row: EntryRow): TimelineEntry {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    kind: row.kind,
    userId: row.user_id ?? undefined,
    body: row.body,
    contentVersion: row.content_version,
    labelId: row.label_id ?? undefined,
    oldMilestoneId: row.old_milestone_id ?? undefined,
    milestoneId: row.milestone_id ?? undefined,
    oldProjectId: row.old_project_id ?? 0,
    projectId: row.project_id ?? 0,
    assigneeId: row.assignee_id ?? undefined,
    teamId: row.team_id ?? undefined,
    isRemoval: row.is_removal === 1,
    oldText: row.old_text,
    newText: row.new_text,
    otherIssueId: row.other_issue_id ?? undefined,
    otherEntryId: row.other_entry_id ?? undefined,
    refAction: row.ref_action,
    commitId: row.commit_id,
    trackedTimeId: row.tracked_time_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function insertEntry(
  db: Database,
  issue: Pick<Issue, "id" | "repoId">,
  userId: number | undefined,
  entry: NewEntry,
  now: number,
): TimelineEntry {
  const sql = `INSERT INTO timeline (issue_id, repo_id, kind, user_id, body, label_id, old_milestone_id, milestone_id,
      old_project_id, project_id, assignee_id, team_id, is_removal, old_text, new_text, other_issue_id, other_entry_id,
      ref_action, commit_id, tracked_time_id, created_at, updated_at)
    VALUES ($issueId, $repoId, $kind, $userId, $body, $labelId, $oldMilestoneId, $milestoneId,
      $oldProjectId, $projectId, $assigneeId, $teamId, $isRemoval, $oldText, $newText, $otherIssueId, $otherEntryId,
      $refAction, $commitId, $trackedTimeId, $createdAt, $createdAt)
    RETURNING *`;
  const row = db.query<EntryRow>(sql).get({
    issueId: issue.id,
    repoId: issue.repoId,
    kind: entry.kind,
    userId: userId ?? null,
    body: entry.body ?? "",
    labelId: entry.labelId ?? null,
    oldMilestoneId: entry.oldMilestoneId ?? null,
    milestoneId: entry.milestoneId ?? null,
    oldProjectId: entry.oldProjectId ?? null,
    projectId: entry.projectId ?? null,
    assigneeId: entry.assigneeId ?? null,
    teamId: entry.teamId ?? null,
    isRemoval: entry.isRemoval ? 1 : 0,
    oldText: entry.oldText ?? "",
    newText: entry.newText ?? "",
    otherIssueId: entry.otherIssueId ?? null,
    otherEntryId: entry.otherEntryId ?? null,
    refAction: entry.refAction ?? "none",
    commitId: entry.commitId ?? "",
    trackedTimeId: entry.trackedTimeId ?? null,
    createdAt: entry.createdAt ?? now,
  });
  if (!row) throw new Error("an inserted entry has a row");
  return entryOf(row);
}

/** The newest comment of each of these items. */
export function latestComments(db: Database, issueIds: readonly number[]): Map<number, number> {
  const sql = `SELECT wanted.value AS issueId, (SELECT id FROM timeline
      WHERE timeline.issue_id = wanted.value AND timeline.kind = 'comment' ORDER BY created_at DESC, id DESC LIMIT 1) AS id
    FROM json_each(?) AS wanted`;
  const rows = db.query<{ issueId: number; id: number | null }>(sql).all(JSON.stringify(issueIds));
  return new Map(rows.flatMap(({ issueId, id }) => (id === null ? [] : [[issueId, id]])));
}
