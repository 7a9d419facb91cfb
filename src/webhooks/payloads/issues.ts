import type { EventContext, EventPayloads } from "../../events/types.ts";
import type { IssueEvent } from "../../issues/events.ts";
import { labelResource } from "../../labels/resource.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { changesFrom } from "./common.ts";
import { type ItemFacts, type ItemPart, itemHappening, itemOf } from "./items.ts";

/** Events common to issues and pull requests (contract webhooks.md 6.5 and 6.7). */
export function issueTellers(services: Services) {
  const one = (
    { principal }: EventContext,
    { issueId }: IssueEvent,
    part: ItemPart,
    action: string,
    facts?: ItemFacts,
  ): readonly Happening[] => {
    const item = itemOf(services, issueId);
    return item ? [itemHappening(services, item, part, action, principal?.userId, facts)] : [];
  };
  return {
    "issue.created": (context, event) => one(context, event, "item", "opened"),
    "issue.edited": (context, event) => {
      const { before, fields } = event;
      const edited = (["title", "body"] as const).filter((field) => fields.includes(field));
      return edited.flatMap((field) =>
        one(context, event, "item", "edited", { changes: changesFrom({ [field]: { from: before[field] ?? "" } }) }),
      );
    },
    "issue.state-changed": (context, event) =>
      one(context, event, "item", event.isClosed ? "closed" : "reopened", {
        ...(event.commitId === undefined ? {} : { commitId: event.commitId }),
      }),
    "issue.labels-changed": (context, event) => {
      const told = one(context, event, "label", event.isCleared ? "label_cleared" : "label_updated");
      const workflowPart = { changes: labelChanges(services, event) };
      return told.map((happening) => ({ ...happening, workflowPart }));
    },
    "issue.milestone-changed": (context, event) =>
      one(context, event, "milestone", event.newId === null ? "demilestoned" : "milestoned"),
    "issue.assignee-changed": (context, event) =>
      one(context, event, "assign", event.isAssigned ? "assigned" : "unassigned"),
    "issue.deleted": (context, event) => one(context, event, "item", "deleted"),
  } satisfies TellersOf;
}

/** Added and removed labels: receivers get the current ones, workflows these too. */
function labelChanges(services: Services, { added, issueId, removed }: EventPayloads["issue.labels-changed"]) {
  const { labels, links } = services;
  const seen = itemOf(services, issueId)?.seen;
  const known = labels.byIds([...added, ...removed]);
  const resources = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const label = known.get(id);
      return seen && label ? [labelResource(label, seen, links)] : [];
    });
  return { added_labels: resources(added), removed_labels: resources(removed) };
}
