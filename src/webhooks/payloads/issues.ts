import type { DomainEvent } from "../../events/types.ts";
import type { IssueEvent } from "../../issues/events.ts";
import type { SeenIssue } from "../../issues/types.ts";
import type { Services } from "../../services.ts";
import type { Happening, HookHappenings } from "../happenings.ts";
import { changesFrom } from "./common.ts";
import { type ItemFacts, type ItemPart, itemHappening, itemOf } from "./items.ts";

type ItemEvent = DomainEvent & { readonly payload: IssueEvent };

/** What happens to issues and pull requests alike (contract webhooks.md 6.5 and 6.7). */
export function addIssueHappenings(services: Services, happenings: HookHappenings): void {
  const told = (event: ItemEvent, tell: (item: SeenIssue) => readonly Happening[]): readonly Happening[] => {
    const item = itemOf(services, event.payload.issueId);
    return item ? tell(item) : [];
  };
  const one = (event: ItemEvent, part: ItemPart, action: string, facts?: ItemFacts) =>
    told(event, (item) => [itemHappening(services, item, part, action, event.principal.userId, facts)]);

  happenings.add("issue.created", (event) => one(event, "item", "opened"));
  happenings.add("issue.edited", (event) => {
    const { before, fields } = event.payload;
    const edited = (["title", "body"] as const).filter((field) => fields.includes(field));
    return edited.flatMap((field) =>
      one(event, "item", "edited", { changes: changesFrom({ [field]: { from: before[field] ?? "" } }) }),
    );
  });
  happenings.add("issue.state-changed", (event) => one(event, "item", event.payload.isClosed ? "closed" : "reopened"));
  happenings.add("issue.labels-changed", (event) =>
    told(event, (item) => {
      const { added, removed } = event.payload;
      const isCleared = added.length === 0 && removed.length > 0 && labelsOf(services, item) === 0;
      const action = isCleared ? "label_cleared" : "label_updated";
      return [itemHappening(services, item, "label", action, event.principal.userId)];
    }),
  );
  happenings.add("issue.milestone-changed", (event) =>
    one(event, "milestone", event.payload.newId === null ? "demilestoned" : "milestoned"),
  );
  happenings.add("issue.assignee-changed", (event) =>
    one(event, "assign", event.payload.isAssigned ? "assigned" : "unassigned"),
  );
  happenings.addFarewell("issue.deleted", ({ principal }, { issueId }) => {
    const item = itemOf(services, issueId);
    return item ? [itemHappening(services, item, "item", "deleted", principal?.userId)] : [];
  });
}

function labelsOf({ issues }: Services, item: SeenIssue): number {
  return issues.partsOf([item]).get(item.issue.id)?.labelIds.length ?? 0;
}
