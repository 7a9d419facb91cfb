import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/** An author's role in the repository (contract web.md 2.10). */
export type Standing = "owner" | "member" | "collaborator";

/** The roles of accounts in a repository, as far as the viewer may know: two queries however many accounts. */
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
