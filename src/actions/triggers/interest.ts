import type { EventKind, EventPayloads } from "../../events/types.ts";
import type { HeardEvent } from "../../webhooks/happenings.ts";

/** Events of workflows on the default branch that may come of an event; undefined: it is no business of workflows. */
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

/** Whether workflows of other commits than the default branch's may be meant: of a pull request's head, a pushed ref, a tag. */
export function readsElsewhere({ kind, payload }: HeardEvent): boolean {
  if (kind === "refs.changed" || kind.startsWith("pull.") || kind.startsWith("release.")) return true;
  return "isPull" in payload && payload.isPull === true;
}

/** Labels that were there already: hooks are told, nothing is labelled. */
export function changesNothing({ kind, payload }: HeardEvent): boolean {
  if (kind !== "issue.labels-changed") return false;
  const { added, removed } = payload as EventPayloads["issue.labels-changed"];
  return added.length === 0 && removed.length === 0;
}

/** What the payload of a hook does not say. */
export function detailOf({ kind, payload }: HeardEvent): string {
  if (kind !== "issue.labels-changed") return "";
  const { added, removed } = payload as EventPayloads["issue.labels-changed"];
  return added.length > 0 ? "labeled" : removed.length > 0 ? "unlabeled" : "";
}
