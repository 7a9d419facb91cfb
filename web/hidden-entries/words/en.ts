import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  conversations: "Conversations",
  leftOut: "What conversations leave out",
  hint: "Comments and reviews are always shown. This is for you alone.",
  save: "Save",
  saved: "Conversations now leave out what you chose.",
  "topic-reference": "References by issues, pull requests and commits",
  "topic-label": "Labels",
  "topic-milestone": "Milestones",
  "topic-assignee": "Assignees",
  "topic-title": "Changes of titles",
  "topic-branch": "Changes of branches",
  "topic-time_tracking": "Tracked time",
  "topic-deadline": "Due dates",
  "topic-dependency": "Dependencies",
  "topic-lock": "Locking and unlocking",
  "topic-review_request": "Requests for reviews",
  "topic-push": "Pushed commits",
  "topic-scheduled_merge": "Scheduled merges and the merge queue",
  "topic-project": "Projects",
  "topic-pin": "Pinning and unpinning",
} as const satisfies Messages;
