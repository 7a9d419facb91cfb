import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LiveHub } from "../live/hub.ts";
import { openAtCommit } from "./store.ts";

/** Events that change the merge box of a pull request. */
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
  // Schedules and queues add timeline entries.
  "timeline.appended",
] as const;
const shown: ReadonlySet<string> = new Set(SHOWN);

/** Tells the page of a pull request, on its item's topic, to fetch its merge box again. */
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
