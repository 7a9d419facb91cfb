import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { personOf, repoOf, seenBy } from "../../webhooks/payloads/common.ts";

/** The parts of a manual run's payload that do not come from the request (contract actions.md 5.2). */
export function aroundOf(services: Services, { owner, principal, repo }: SeenRepo): object {
  const seen = seenBy(services, repo.id);
  if (!seen) throw new Error("a repository that is seen is there");
  return {
    repository: repoOf(services, seen),
    sender: personOf(services, principal.user?.id),
    ...(owner.kind === "organization" ? { organization: personOf(services, owner.id) } : {}),
  };
}
