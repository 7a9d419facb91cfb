import { isPartial } from "../../src/http/respond.ts";
import type { Call } from "../../src/http/route.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import type { WebServices } from "../area.ts";
import type { Asked } from "./item-data.ts";

/**
 * The part of a conversation that a request asks for. Opening the page marks it as read; refetching it after an event
 * is not a visit.
 * @param isAgain the page is shown again after a refused form
 */
export function askedConversation(services: WebServices, call: Call, item: SeenIssue, isAgain = false): Asked {
  const { itemReads, notifications } = services;
  const isRefetched = isPartial(call.request);
  const readAt = isRefetched || isAgain ? numberOf(call, "read") : itemReads.until(item);
  const until = untilOf(services, call, item);
  if (!isRefetched) {
    itemReads.visit(item);
    notifications.opened(item.seen.principal, item.issue.id);
  }
  return { readAt, until };
}

function numberOf(call: Call, name: string): number | undefined {
  const given = call.query.get(name) ?? "";
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

/** How many entries to show: the requested number, or up to a comment named in the URL. */
function untilOf({ timeline }: WebServices, call: Call, item: SeenIssue): number | undefined {
  const entry = numberOf(call, "entry");
  const place = entry === undefined ? undefined : timeline.placeOf(item, entry);
  return place === undefined ? numberOf(call, "until") : place + 1;
}
