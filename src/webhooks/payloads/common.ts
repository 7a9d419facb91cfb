import { operator } from "../../access/principal.ts";
import { type UserResource, userResources } from "../../identity/resource.ts";
import { ghost } from "../../identity/system-users.ts";
import { type RepoResource, repoResources } from "../../repos/resource.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";

/**
 * Shared by all payloads. Receivers were configured by administrators of their events' source, so repositories are
 * shown in full; people are shown as to everyone, because the operator is not an account.
 */
export const hookEyes = operator;

/** undefined: it is gone. */
export function seenBy({ repos }: Services, repoId: number | undefined): SeenRepo | undefined {
  return repoId === undefined ? undefined : repos.seeById(hookEyes, repoId);
}

export function repoOf(services: Services, seen: SeenRepo): RepoResource {
  const [resource] = repoResources(services, [seen]);
  if (!resource) throw new Error("a repository has a resource");
  return resource;
}

/** Accounts in the order of their ids; the ghost stands in for deleted ones. */
export function peopleOf(services: Services, ids: readonly (number | null | undefined)[]): UserResource[] {
  const users = services.identity.byIds([...new Set(ids.flatMap((id) => id ?? []))]);
  return userResources(
    services,
    hookEyes,
    ids.map((id) => users.get(id ?? 0) ?? ghost),
  );
}

export function personOf(services: Services, id: number | null | undefined): UserResource {
  const [person] = peopleOf(services, [id]);
  if (!person) throw new Error("everybody has a resource, even the ghost");
  return person;
}

/** The previous values of an edit's changes. */
export function changesFrom(before: Readonly<Record<string, { readonly from: string }>>) {
  return { ...before, added_labels: null, removed_labels: null };
}
