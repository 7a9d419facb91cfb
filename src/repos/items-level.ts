import { atLeast, higher, type Level } from "../access/levels.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import type { SeenRepo } from "./types.ts";

/**
 * What the principal may do with issues or with pull requests, whichever is more: what belongs to both (labels,
 * milestones) asks for it. An empty repository has no pull requests.
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
