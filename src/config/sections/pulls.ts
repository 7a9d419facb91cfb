import type { Setting } from "../setting.ts";

/** Pull requests and how they are merged. */
export const pullsSettings = {
  "pulls.check_inactive_days": {
    type: { kind: "number", least: -1, most: 10_000 },
    standard: 7,
    doc: "Pull requests that nothing happened to for so many days are checked when someone looks, not when their base moves. 0: always only then; -1: never only then.",
  },
  "pulls.message_max_approvers": {
    type: { kind: "number", least: 0, most: 1000 },
    standard: 10,
    doc: "Approvers that the usual message of a merge names with `Reviewed-by:`.",
  },
  "pulls.message_official_approvers_only": {
    type: { kind: "flag" },
    standard: true,
    doc: "Name only those approvers whose review counts for the base branch.",
  },
  "pulls.squash_message": {
    type: { kind: "choice", of: ["description", "commits"] },
    standard: "description",
    doc: "What the usual message of a squash is made of: the text of the pull request, or the messages of its commits.",
  },
  "pulls.squash_message_max_commits": {
    type: { kind: "number", least: 1, most: 500 },
    standard: 50,
    doc: "Commits whose messages such a message has.",
  },
  "pulls.squash_message_max_bytes": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 5120,
    doc: "Bytes of such a message. 0: no limit.",
  },
  "pulls.co_author_trailers": {
    type: { kind: "flag" },
    standard: true,
    doc: "A squash that someone else commits names its author with `Co-authored-by:`.",
  },
  "pulls.push_hints": {
    type: { kind: "flag" },
    standard: true,
    doc: "Tell whoever pushes a branch where its pull request is, or where one can be made.",
  },
  "pulls.queue_timeout_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 60,
    doc: "Minutes that the first pull request of a merge queue waits for its checks; after that it is thrown out of the queue.",
  },
} as const satisfies Record<string, Setting>;
