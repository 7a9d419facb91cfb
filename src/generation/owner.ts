import { isSiteAdmin, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";

/**
 * The account of that name, for which the principal may generate repositories.
 * @throws NotFound no such account, or not visible to the principal; Forbidden another's, or no right in the
 * organization
 */
export function ownerNamed(services: Services, principal: Principal, name: string): User {
  const { identity, organizations } = services;
  const missing = () => new NotFound("generation.owner-missing", { field: "owner", params: { name } });
  const owner = identity.byLogin(name);
  if (!owner || !identity.sees(principal, owner)) throw missing();
  if (owner.id === principal.user?.id || isSiteAdmin(principal)) return owner;
  if (owner.kind !== "organization") throw new Forbidden("generation.for-others");
  if (!organizations.accountMayCreateRepos(owner, principal.user))
    throw new Forbidden("generation.not-in-organization");
  return owner;
}
