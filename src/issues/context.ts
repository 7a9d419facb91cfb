import { type EventContext, storedPrincipal } from "../events/types.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { IssueEvent } from "./events.ts";
import { type Issue, unitOf } from "./types.ts";

/** Where an item's event happened. */
export function contextOf({ owner, principal, repo }: SeenRepo, issue: Issue): EventContext {
  return { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal), unit: unitOf(issue) };
}

/** The fields common to all events about an item. */
export function eventOf({ id, isPull, number }: Issue): IssueEvent {
  return { issueId: id, number, isPull };
}
