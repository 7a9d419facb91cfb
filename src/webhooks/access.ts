import type { Access } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";
import { organizationOwner } from "../organizations/access.ts";
import { administersRepo } from "../repos/access.ts";

/**
 * Access declarations for hooks of a repository, an organization, an account and the site, shared by REST and pages.
 */
export const hooksOfRepo = administersRepo;
export const hooksOfOrganization = organizationOwner;
export const hooksOfAccount = ownAccount;
export const hooksOfSite: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
