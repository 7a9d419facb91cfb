import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  conversations: "Conversations",
  leftOut: "What to hide in conversations",
  hint: "Comments and reviews are always shown. This setting affects only what you see.",
  save: "Save",
  saved: "Your choice was saved.",
  "topic-reference": "References from issues, pull requests and commits",
  "topic-label": "Labels",
  "topic-milestone": "Milestones",
  "topic-assignee": "Assignees",
  "topic-title": "Title changes",
  "topic-branch": "Branch changes",
  "topic-time_tracking": "Tracked time",
  "topic-deadline": "Due dates",
  "topic-dependency": "Dependencies",
  "topic-lock": "Locking and unlocking",
  "topic-review_request": "Review requests",
  "topic-push": "Pushed commits",
  "topic-scheduled_merge": "Scheduled merges and the merge queue",
  "topic-project": "Projects",
  "topic-pin": "Pins",
} as const satisfies Messages;
