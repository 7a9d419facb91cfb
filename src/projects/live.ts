import type { Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { DomainEvent } from "../events/types.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { LiveHub } from "../live/hub.ts";
import { cardsOfIssues } from "./cards-store.ts";

/** Events that change how items look on their cards. */
const ON_CARDS: ReadonlySet<string> = new Set([
  "timeline.appended",
  "issue.edited",
  "issue.state-changed",
  "issue.restored",
]);

/** Tells pages showing a board, on the topic `project:<id>`, to refetch. */
export function tellBoards(
  { db, live, outbox }: { readonly db: Database; readonly live: LiveHub; readonly outbox: Outbox },
  timeline: Timeline,
  mayRead: (principal: Principal, id: number) => boolean,
): void {
  live.declareTopic("project", (principal, id) => mayRead(principal, Number(id)));
  const tell = (boards: Iterable<number>) => {
    for (const id of boards) live.publish(`project:${id}`, { event: "board.changed", data: String(id) });
  };
  outbox.listen((event) => tell(boardsOf(db, timeline, event)));
  // Its cards still exist at this point, but not when listeners run.
  outbox.react("issue.deleted", (_context, { issueId }) => {
    const boards = cardsOfIssues(db, [issueId]).map(({ projectId }) => projectId);
    db.onCommit(() => tell(boards));
  });
}

function boardsOf(db: Database, timeline: Timeline, event: DomainEvent): Set<number> {
  const { kind, payload } = event;
  if ("projectId" in payload) return new Set([payload.projectId]);
  if (!ON_CARDS.has(kind) || !("issueId" in payload)) return new Set();
  const boards = new Set(cardsOfIssues(db, [payload.issueId]).map(({ projectId }) => projectId));
  if (kind === "timeline.appended" && event.payload.kind === "project") {
    // The board it has left is notified, too.
    const entry = timeline.byIds([event.payload.entryId]).get(event.payload.entryId);
    if (entry && entry.oldProjectId > 0) boards.add(entry.oldProjectId);
  }
  return boards;
}
