import type { EventContext } from "../../events/types.ts";
import type { IssueEvent } from "../../issues/events.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { changesFrom } from "./common.ts";
import { type ItemFacts, type ItemPart, itemHappening, itemOf } from "./items.ts";

/** What happens to issues and pull requests alike (contract webhooks.md 6.5 and 6.7). */
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
    "issue.labels-changed": (context, event) =>
      one(context, event, "label", event.isCleared ? "label_cleared" : "label_updated"),
    "issue.milestone-changed": (context, event) =>
      one(context, event, "milestone", event.newId === null ? "demilestoned" : "milestoned"),
    "issue.assignee-changed": (context, event) =>
      one(context, event, "assign", event.isAssigned ? "assigned" : "unassigned"),
    "issue.deleted": (context, event) => one(context, event, "item", "deleted"),
  } satisfies TellersOf;
}
