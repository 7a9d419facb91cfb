import type { Principal } from "../access/principal.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LiveHub } from "../live/hub.ts";

/** Events that change what an item's page shows. */
const SHOWN = [
  "timeline.appended",
  "comment.edited",
  "comment.deleted",
  "comment.restored",
  "reaction.changed",
  "issue.edited",
  "issue.state-changed",
] as const;
const shown: ReadonlySet<string> = new Set(SHOWN);

/** Tells pages showing an item, on the topic `issue:<id>`, to refetch. */
export function tellPages(live: LiveHub, outbox: Outbox, mayRead: (principal: Principal, id: number) => boolean): void {
  live.declareTopic("issue", (principal, id) => mayRead(principal, Number(id)));
  outbox.listen((event) => {
    if (!shown.has(event.kind)) return;
    const { payload } = event;
    if ("issueId" in payload)
      live.publish(`issue:${payload.issueId}`, { event: "timeline.changed", data: String(event.id) });
  });
}
