import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import { text, time, whole } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { ghost } from "../identity/system-users.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { repoAddress } from "../repos/addresses.ts";
import { RepoResource } from "../repos/resource.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import type { CommitStatus } from "./types.ts";

export const CommitStatusResource = Type.Object(
  {
    id: whole("Counts from 1 for each commit."),
    status: text("pending, success, error, failure, warning or skipped."),
    target_url: text("Address of the details."),
    description: text("A short description."),
    url: text("API address of the commit's statuses."),
    context: text("Name of the check."),
    creator: UserResource,
    created_at: time("When it was created."),
    updated_at: time("The same as created_at, because statuses do not change."),
  },
  { $id: "CommitStatus", description: "A status that a check reported for a commit." },
);
export type CommitStatusResource = Static<typeof CommitStatusResource>;

export const CombinedStatusResource = Type.Object(
  {
    state: text("The combined state of the newest statuses of all contexts: pending, success or failure."),
    sha: text("Id of the commit."),
    total_count: whole("Statuses on this page."),
    statuses: Type.Array(CommitStatusResource, { description: "The newest status of each context." }),
    repository: RepoResource,
    commit_url: text("API address of the commit."),
    url: text("API address of this."),
  },
  { $id: "CombinedStatus", description: "The combined status of a commit." },
);

/** Statuses as shown to the viewer; hidden or deleted creators are not named. */
export function statusResources(
  services: Pick<Services, "identity" | "links">,
  viewer: Principal,
  seen: SeenRepo,
  statuses: readonly CommitStatus[],
): CommitStatusResource[] {
  const { identity, links } = services;
  const users = identity.byIds([...new Set(statuses.flatMap(({ creatorId }) => creatorId ?? []))]);
  const shown = [ghost, ...[...users.values()].filter((user) => identity.sees(viewer, user))];
  const resources = new Map(userResources(services, viewer, shown).map((resource) => [resource.id, resource]));
  const nobody = resources.get(ghost.id);
  if (!nobody) throw new Error("the ghost has no resource");
  return statuses.map((status) => ({
    id: status.number,
    status: status.state,
    target_url: status.targetUrl,
    description: status.description,
    url: `${repoAddress(seen, links)}/statuses/${status.commit}`,
    context: status.context,
    creator: resources.get(status.creatorId ?? ghost.id) ?? nobody,
    created_at: rfc3339(status.createdAt),
    updated_at: rfc3339(status.createdAt),
  }));
}
