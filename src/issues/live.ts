import type { Principal } from "../access/principal.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LiveHub } from "../live/hub.ts";

/** What happens to an item as far as its page shows it. */
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

/** Tells the page of an item, on the topic `issue:<id>`, that it is to be fetched again. */
export function tellPages(live: LiveHub, outbox: Outbox, mayRead: (principal: Principal, id: number) => boolean): void {
  live.declareTopic("issue", (principal, id) => mayRead(principal, Number(id)));
  outbox.listen((event) => {
    if (!shown.has(event.kind)) return;
    const { payload } = event;
    if ("issueId" in payload)
      live.publish(`issue:${payload.issueId}`, { event: "timeline.changed", data: String(event.id) });
  });
}
