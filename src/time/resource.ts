import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../http/fields.ts";
import { ghost } from "../identity/system-users.ts";
import { IssueResource, issueResources } from "../issues/resource.ts";
import type { SeenIssue } from "../issues/types.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Services } from "../services.ts";
import { durationText } from "./duration.ts";
import type { RunningStopwatch } from "./service.ts";
import type { TrackedTime } from "./types.ts";

export const TrackedTimeResource = Type.Object(
  {
    id: whole("Number of the entry."),
    created: time("When the time was spent."),
    time: whole("Seconds."),
    user_id: whole("Number of the account that spent it."),
    user_name: text("Its name."),
    issue_id: whole("Number of the item on this server."),
    issue: Type.Union([IssueResource, Type.Null()], { description: "The item it was spent on." }),
  },
  { $id: "TrackedTime", description: "Time that someone spent on an issue or a pull request." },
);
export type TrackedTimeResource = Static<typeof TrackedTimeResource>;

export const StopWatchResource = Type.Object(
  {
    created: time("When it was started."),
    seconds: whole("How long it has been running."),
    duration: text("The same as text."),
    issue_index: whole("Number of the item in its repository."),
    issue_title: text("The item's title."),
    repo_owner_name: text("Owner of the repository."),
    repo_name: text("The repository."),
  },
  { $id: "StopWatch", description: "A running stopwatch." },
);
export type StopWatchResource = Static<typeof StopWatchResource>;

/** Tracked times with their items, which the caller can see; a fixed number of queries for any number of times. */
export function trackedTimeResources(
  services: Services,
  times: readonly TrackedTime[],
  items: readonly SeenIssue[],
): TrackedTimeResource[] {
  const issues = new Map(issueResources(services, items).map((issue) => [issue.id, issue]));
  const users = services.identity.byIds([...new Set(times.flatMap(({ userId }) => userId ?? []))]);
  return times.map(({ id, createdAt, seconds, userId, issueId }) => {
    const user = users.get(userId ?? 0) ?? ghost;
    return {
      id,
      created: rfc3339(createdAt),
      time: seconds,
      user_id: user.id,
      user_name: user.login,
      issue_id: issueId,
      issue: issues.get(issueId) ?? null,
    };
  });
}

export function stopWatchResource({ item, seconds, startedAt }: RunningStopwatch): StopWatchResource {
  const { issue, seen } = item;
  return {
    created: rfc3339(startedAt),
    seconds,
    duration: durationText(seconds),
    issue_index: issue.number,
    issue_title: issue.title,
    repo_owner_name: seen.owner.login,
    repo_name: seen.repo.name,
  };
}
