import { atLeast, higher, type Level } from "../access/levels.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import type { SeenRepo } from "./types.ts";

/**
 * The principal's level on issues or on pull requests, whichever is higher; things shared by both (labels, milestones)
 * require it. An empty repository has no pull requests.
 */
export function itemsLevel({ access, repo }: SeenRepo): Level {
  return higher(access.on("issues"), repo.isEmpty ? "none" : access.on("pulls"));
}

/** @throws NotFound neither issues nor pull requests may be read */
export function requireItemsRead(seen: SeenRepo): void {
  if (!atLeast(itemsLevel(seen), "read")) throw new NotFound();
}

/** @throws NotFound neither may be read; Forbidden neither may be written */
export function requireItemsWrite(seen: SeenRepo): void {
  requireItemsRead(seen);
  if (!atLeast(itemsLevel(seen), "write")) throw new Forbidden("repository.needs-write");
}
