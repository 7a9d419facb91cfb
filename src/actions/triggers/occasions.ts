import type { JsonObject } from "../../kernel/json.ts";

/** Where the workflows are read. */
export type Source = "default" | "head" | "base" | "ref";

/** An event as workflows name it. */
export interface Occasion {
  readonly event: string;
  readonly type: string | undefined;
  readonly source: Source;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Webhook event types; for workflows they are activity types of one event. */
const issueTypes = new Set(["issues", "issue_assign", "issue_label", "issue_milestone"]);
const pullTypes = new Set([
  "pull_request",
  "pull_request_assign",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_sync",
  "pull_request_review_request",
]);
const reviewTypes = new Set([
  "pull_request_review_approved",
  "pull_request_review_rejected",
  "pull_request_review_comment",
]);
const kinds: Readonly<Record<string, string>> = {
  synchronized: "synchronize",
  label_cleared: "unlabeled",
  reviewed: "submitted",
  updated: "edited",
};

/**
 * The workflow events that an event corresponds to (contract actions.md 2.4).
 * @param type the webhook event type
 * @param detail whether labels were added or removed; empty: neither
 */
export function occasionsOf(type: string, detail: string, payload: JsonObject): Occasion[] {
  const action = text(payload["action"]);
  const kind = action === "label_updated" ? detail : (kinds[action] ?? action);
  if (action === "label_updated" && detail === "") return [];
  if (type === "push" || type === "create") return [{ event: type, type: undefined, source: "ref" }];
  if (type === "delete" || type === "fork") return [{ event: type, type: undefined, source: "default" }];
  if (type === "wiki") return [{ event: "gollum", type: undefined, source: "default" }];
  if (type === "package")
    return action === "created" ? [{ event: "registry_package", type: "published", source: "default" }] : [];
  if (type === "release") return [{ event: "release", type: kind, source: "ref" }];
  if (type === "workflow_run") return [{ event: "workflow_run", type: kind, source: "default" }];
  if (type === "issue_comment") return [{ event: "issue_comment", type: kind, source: "default" }];
  if (type === "pull_request_comment")
    return [
      { event: "issue_comment", type: kind, source: "default" },
      { event: "pull_request_comment", type: kind, source: "head" },
    ];
  if (action === "deleted") return [];
  if (issueTypes.has(type)) return [{ event: "issues", type: kind, source: "default" }];
  if (pullTypes.has(type))
    return [
      { event: "pull_request", type: kind, source: "head" },
      { event: "pull_request_target", type: kind, source: "base" },
    ];
  if (!reviewTypes.has(type)) return [];
  const review: Occasion = { event: "pull_request_review", type: kind, source: "head" };
  if (type !== "pull_request_review_comment") return [review];
  return [review, { event: "pull_request_review_comment", type: "created", source: "head" }];
}

/** Event types that skip words in the commit message or pull request title can suppress. */
export const isSkippable = (type: string): boolean =>
  type === "push" || type === "pull_request" || type === "pull_request_sync";
