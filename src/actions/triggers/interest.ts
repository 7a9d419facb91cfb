import type { EventKind, EventPayloads } from "../../events/types.ts";
import type { HeardEvent } from "../../webhooks/happenings.ts";

/** Workflow events on the default branch that an event may cause; undefined if it does not concern workflows. */
const interests: { readonly [K in EventKind]?: readonly string[] } = {
  "repo.forked": ["fork"],
  "refs.changed": ["push", "create", "delete"],
  "issue.created": ["issues"],
  "issue.edited": ["issues"],
  "issue.state-changed": ["issues"],
  "issue.labels-changed": ["issues"],
  "issue.milestone-changed": ["issues"],
  "issue.assignee-changed": ["issues"],
  "comment.created": ["issue_comment"],
  "comment.edited": ["issue_comment"],
  "comment.deleted": ["issue_comment"],
  "pull.synchronized": [],
  "pull.retargeted": [],
  "pull.review-requested": [],
  "pull.review-request-removed": [],
  "pull.reviewed": [],
  "release.published": ["release"],
  "release.edited": ["release"],
  "release.deleted": ["release"],
  "package.published": ["registry_package"],
  "wiki.created": ["gollum"],
  "wiki.edited": ["gollum"],
  "wiki.deleted": ["gollum"],
  "actions.run-changed": ["workflow_run"],
};

export const interestIn = (kind: EventKind): readonly string[] | undefined => interests[kind];

/** Whether it may trigger workflows outside the default branch: at a pull request's head, a pushed ref, a tag. */
export function readsElsewhere({ kind, payload }: HeardEvent): boolean {
  if (kind === "refs.changed" || kind.startsWith("pull.") || kind.startsWith("release.")) return true;
  return "isPull" in payload && payload.isPull === true;
}

/** Labels that were already set: webhooks are sent, but nothing is labelled. */
export function changesNothing({ kind, payload }: HeardEvent): boolean {
  if (kind !== "issue.labels-changed") return false;
  const { added, removed } = payload as EventPayloads["issue.labels-changed"];
  return added.length === 0 && removed.length === 0;
}

/** Details missing from the webhook payload. */
export function detailOf({ kind, payload }: HeardEvent): string {
  if (kind !== "issue.labels-changed") return "";
  const { added, removed } = payload as EventPayloads["issue.labels-changed"];
  return added.length > 0 ? "labeled" : removed.length > 0 ? "unlabeled" : "";
}
