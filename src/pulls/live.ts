import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LiveHub } from "../live/hub.ts";
import { openAtCommit } from "./store.ts";

/** What changes the merge box of a pull request. */
const SHOWN = [
  "pull.checked",
  "pull.synchronized",
  "pull.retargeted",
  "pull.merged",
  "pull.reviewed",
  "pull.review-dismissed",
  "pull.review-requested",
  "pull.review-request-removed",
  "issue.state-changed",
  "issue.edited",
  // Schedules and queues have their entries.
  "timeline.appended",
] as const;
const shown: ReadonlySet<string> = new Set(SHOWN);

/** Tells the page of a pull request, on the topic of its item, that its merge box is to be fetched again. */
export function tellMergeBoxes(live: LiveHub, outbox: Outbox, db: Database): void {
  const tell = (issueId: number, eventId: number) =>
    live.publish(`issue:${issueId}`, { event: "merge.changed", data: String(eventId) });
  outbox.listen((event) => {
    const { kind, payload, repoId } = event;
    if (shown.has(kind) && "issueId" in payload) tell(payload.issueId, event.id);
    if (kind === "commit-status.created" && repoId !== undefined && "commit" in payload)
      for (const { issueId } of openAtCommit(db, repoId, String(payload.commit))) tell(issueId, event.id);
  });
}
