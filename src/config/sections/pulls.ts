import type { Setting } from "../setting.ts";

/** Pull requests and how they are merged. */
export const pullsSettings = {
  "pulls.check_inactive_days": {
    type: { kind: "number", least: -1, most: 10_000 },
    standard: 7,
    doc: "Pull requests without activity for this many days are checked for conflicts when someone views them, not when their base branch moves. 0: always only when viewed; -1: whenever the base moves.",
  },
  "pulls.message_max_approvers": {
    type: { kind: "number", least: 0, most: 1000 },
    standard: 10,
    doc: "How many approvers the default merge message names with `Reviewed-by:`.",
  },
  "pulls.message_official_approvers_only": {
    type: { kind: "flag" },
    standard: true,
    doc: "Name only approvers whose review counts for the base branch.",
  },
  "pulls.squash_message": {
    type: { kind: "choice", of: ["description", "commits"] },
    standard: "description",
    doc: "What the default squash message is made of: the description of the pull request, or its commit messages.",
  },
  "pulls.squash_message_max_commits": {
    type: { kind: "number", least: 1, most: 500 },
    standard: 50,
    doc: "How many commit messages a default squash message may contain.",
  },
  "pulls.squash_message_max_bytes": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 5120,
    doc: "The maximum size of a default squash message, in bytes. 0: no limit.",
  },
  "pulls.co_author_trailers": {
    type: { kind: "flag" },
    standard: true,
    doc: "If someone else commits a squash, credit its author with `Co-authored-by:`.",
  },
  "pulls.push_hints": {
    type: { kind: "flag" },
    standard: true,
    doc: "After a push, print a link to the branch's pull request, or to the form that creates one.",
  },
  "pulls.queue_timeout_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 60,
    doc: "Minutes that the first pull request in a merge queue may wait for its checks before it is removed from the queue.",
  },
} as const satisfies Record<string, Setting>;
