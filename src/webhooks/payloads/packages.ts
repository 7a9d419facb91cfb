import type { EventContext } from "../../events/types.ts";
import { organizationResource } from "../../organizations/resource.ts";
import { packageResources } from "../../packages/resource.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { hookEyes, personOf } from "./common.ts";

/** Publication and deletion of packages (contract webhooks.md 6.12). */
export function packageTellers(services: Services) {
  const { identity, links, organizations, packages } = services;
  const told = (
    action: "created" | "deleted",
    { ownerId, principal }: Pick<EventContext, "ownerId" | "principal">,
    versionId: number,
  ): Happening[] => {
    const version = packages.byId(versionId);
    const owner = ownerId === undefined ? undefined : identity.byId(ownerId);
    if (!version || !owner) return [];
    const [resource] = packageResources(services, hookEyes, [version]);
    const [organization] = owner.kind === "organization" ? organizations.withSettings([owner]) : [];
    const payload = {
      action,
      // It is inside the package.
      repository: null,
      package: resource,
      organization: organization ? organizationResource(organization, hookEyes, links) : null,
      sender: personOf(services, principal?.userId),
    };
    return [{ type: "package", payload }];
  };
  return {
    "package.published": (context, { versionId }) => told("created", context, versionId),
    "package.deleted": (context, { versionId }) => told("deleted", context, versionId),
  } satisfies TellersOf;
}
