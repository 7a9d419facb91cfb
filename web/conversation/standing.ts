import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/** What who speaks is to the repository (contract web.md 2.10). */
export type Standing = "owner" | "member" | "collaborator";

/** What these accounts are to a repository, as far as whoever looks may know: two queries for any number of them. */
export function standingsIn(
  { collaborators, members, organizations }: WebServices,
  seen: SeenRepo,
  userIds: readonly number[],
): ReadonlyMap<number, Standing> {
  const { owner, principal } = seen;
  const standings = new Map<number, Standing>();
  for (const id of collaborators.among(seen, userIds)) standings.set(id, "collaborator");
  if (owner.kind === "organization")
    for (const id of members.among(organizations.standingIn(principal, owner), userIds)) standings.set(id, "member");
  return standings.set(owner.id, "owner");
}
