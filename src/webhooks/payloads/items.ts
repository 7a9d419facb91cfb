import { issueResource } from "../../issues/resource.ts";
import type { SeenIssue } from "../../issues/types.ts";
import { pullResource } from "../../pulls/resource.ts";
import type { Services } from "../../services.ts";
import type { EventType } from "../event-names.ts";
import type { Happening } from "../happenings.ts";
import { hookEyes, personOf, repoOf } from "./common.ts";

/** Facts in an item's event besides the item itself. */
export interface ItemFacts {
  readonly changes?: object;
  readonly before?: string;
  readonly after?: string;
  /** The commit that closed or reopened it. */
  readonly commitId?: string;
  /** The account whose review was requested or submitted. */
  readonly reviewerId?: number | null;
  readonly review?: { readonly type: EventType; readonly content: string };
}

/** Event types common to issues and pull requests, by the shared word. */
const parts = {
  issue: { item: "issues", assign: "issue_assign", label: "issue_label", milestone: "issue_milestone" },
  pull: {
    item: "pull_request",
    assign: "pull_request_assign",
    label: "pull_request_label",
    milestone: "pull_request_milestone",
  },
} as const;
export type ItemPart = keyof (typeof parts)["issue"];

/** The item with this id; undefined: it is gone. */
export function itemOf({ issues }: Services, issueId: number): SeenIssue | undefined {
  return issues.seeEach(hookEyes, [issueId])[0];
}

/** An event about a part of an issue or a pull request. */
export function itemHappening(
  services: Services,
  item: SeenIssue,
  part: ItemPart,
  action: string,
  senderId: number | undefined,
  facts: ItemFacts = {},
): Happening {
  const type = parts[item.issue.isPull ? "pull" : "issue"][part];
  return { type, payload: itemPayload(services, item, action, senderId, facts) };
}

/** The body of an item's event (contract webhooks.md 6.5 and 6.7). */
export function itemPayload(
  services: Services,
  item: SeenIssue,
  action: string,
  senderId: number | undefined,
  { after, before, changes, commitId = "", review, reviewerId }: ItemFacts = {},
): object {
  const shared = {
    number: item.issue.number,
    ...(changes ? { changes } : {}),
  };
  const around = {
    repository: repoOf(services, item.seen),
    sender: personOf(services, senderId),
    commit_id: commitId,
  };
  const pull = item.issue.isPull ? services.pulls.of(item) : undefined;
  if (!pull) return { action, ...shared, issue: issueResource(services, item), ...around };
  return {
    action,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...shared,
    pull_request: pullResource(services, pull),
    requested_reviewer: reviewerId === undefined ? null : personOf(services, reviewerId),
    ...around,
    review: review ?? null,
  };
}
