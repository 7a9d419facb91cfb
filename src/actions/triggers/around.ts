import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { personOf, repoOf, seenBy } from "../../webhooks/payloads/common.ts";

/** What jobs are told of a run that someone started by hand, besides what was asked (contract actions.md 5.2). */
export function aroundOf(services: Services, { owner, principal, repo }: SeenRepo): object {
  const seen = seenBy(services, repo.id);
  if (!seen) throw new Error("a repository that is seen is there");
  return {
    repository: repoOf(services, seen),
    sender: personOf(services, principal.user?.id),
    ...(owner.kind === "organization" ? { organization: personOf(services, owner.id) } : {}),
  };
}
