/** Event names, as subscribed to and as sent to receivers (contract webhooks.md 2). */

/** The events a hook can subscribe to individually. */
export const hookEvents = [
  "create",
  "delete",
  "fork",
  "push",
  "issues",
  "issue_assign",
  "issue_label",
  "issue_milestone",
  "issue_comment",
  "pull_request",
  "pull_request_assign",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_comment",
  "pull_request_review",
  "pull_request_sync",
  "pull_request_review_request",
  "wiki",
  "repository",
  "release",
  "package",
  "status",
  "workflow_run",
  "workflow_job",
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** The three kinds of reviews: one subscription, three types of events. */
const reviewTypes = [
  "pull_request_review_approved",
  "pull_request_review_rejected",
  "pull_request_review_comment",
] as const;
export type ReviewType = (typeof reviewTypes)[number];

/** The values of the header `X-Gitea-Event-Type`. */
export type EventType = Exclude<HookEvent, "pull_request_review"> | ReviewType;

/** The listed events of a hook that is subscribed to everything: reviews appear by kind. */
export const everyEventType: readonly EventType[] = hookEvents.flatMap((event): EventType[] =>
  event === "pull_request_review" ? [...reviewTypes] : [event],
);

const groups: Readonly<Record<string, readonly HookEvent[]>> = {
  issues: hookEvents.filter((event) => event.startsWith("issue")),
  issues_only: ["issues"],
  pull_request: hookEvents.filter((event) => event.startsWith("pull_request")),
  pull_request_only: ["pull_request"],
  ...Object.fromEntries(reviewTypes.map((type) => [type, ["pull_request_review"] as const])),
};

/** The events named in a request, ignoring case and unknown names. If none is given: pushes. */
export function eventsNamed(names: readonly string[]): HookEvent[] {
  if (names.length === 0) return ["push"];
  const chosen = new Set(
    names.flatMap((given) => {
      const name = given.toLowerCase();
      return groups[name] ?? hookEvents.filter((event) => event === name);
    }),
  );
  return hookEvents.filter((event) => chosen.has(event));
}

/** The subscription needed for events of that type. */
export function hookEventOf(type: EventType): HookEvent {
  return isReview(type) ? "pull_request_review" : type;
}

function isReview(type: EventType): type is ReviewType {
  return reviewTypes.some((known) => known === type);
}

const headerEvents: Partial<Record<EventType, string>> = {
  issue_assign: "issues",
  issue_label: "issues",
  issue_milestone: "issues",
  pull_request_assign: "pull_request",
  pull_request_label: "pull_request",
  pull_request_milestone: "pull_request",
  pull_request_sync: "pull_request",
  pull_request_review_request: "pull_request",
  pull_request_comment: "issue_comment",
  pull_request_review_approved: "pull_request_approved",
  pull_request_review_rejected: "pull_request_rejected",
  pull_request_review_comment: "pull_request_comment",
};

/** The value of the header `X-Gitea-Event`: coarser than the type. */
export function headerEventOf(type: EventType): string {
  return headerEvents[type] ?? type;
}
