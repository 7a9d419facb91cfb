import type { TimelineKind } from "../timeline/types.ts";

/** Topics that can be hidden in conversations, and their kinds of entries. Written text is always shown. */
export const entryTopics = {
  reference: ["issue_ref", "commit_ref", "comment_ref", "pull_ref"],
  label: ["label"],
  milestone: ["milestone"],
  assignee: ["assignees"],
  title: ["change_title"],
  branch: ["delete_branch", "change_target_branch", "change_issue_ref"],
  time_tracking: [
    "start_tracking",
    "stop_tracking",
    "add_time_manual",
    "cancel_tracking",
    "delete_time_manual",
    "change_time_estimate",
  ],
  deadline: ["added_deadline", "modified_deadline", "removed_deadline"],
  dependency: ["add_dependency", "remove_dependency"],
  lock: ["lock", "unlock"],
  review_request: ["review_request"],
  push: ["pull_push"],
  scheduled_merge: ["pull_scheduled_merge", "pull_cancel_scheduled_merge", "pull_queued", "pull_unqueued"],
  project: ["project", "project_board"],
  pin: ["pin", "unpin"],
} as const satisfies Record<string, readonly TimelineKind[]>;

export type EntryTopic = keyof typeof entryTopics;

export const entryTopicNames = Object.keys(entryTopics) as readonly EntryTopic[];
