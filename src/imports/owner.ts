import { isSiteAdmin, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { Forbidden, ValidationFailed } from "../kernel/errors.ts";
import type { Services } from "../services.ts";

/**
 * The account to import repositories for (contract repositories.md 9.2).
 * @param named empty: the account with that id
 * @throws ValidationFailed no such account, or not visible to the principal; Forbidden another's, or no right in the
 * organization
 */
export function importOwner(
  { identity, organizations }: Services,
  principal: Principal,
  named: string,
  uid: number,
): User {
  const owner = named === "" ? identity.byId(uid) : identity.byLogin(named);
  const number = named === "" ? uid : 0;
  if (!owner || owner.kind === "reserved" || !identity.sees(principal, owner))
    throw new ValidationFailed("import.owner-missing", { field: "repo_owner", params: { uid: number, name: named } });
  if (owner.id === principal.user?.id || isSiteAdmin(principal)) return owner;
  if (owner.kind !== "organization") throw new Forbidden("import.owner-is-no-organization", { field: "repo_owner" });
  if (!organizations.accountMayCreateRepos(owner, principal.user))
    throw new Forbidden("import.not-in-organization", { field: "repo_owner" });
  return owner;
}
