import type { User } from "../access/user.ts";
import { movedTarget } from "../http/path.ts";
import { type Call, param } from "../http/route.ts";
import type { IdentityService } from "./service.ts";

/**
 * The account that `:username` in the path names, if the caller may see it.
 * @param isListed which accounts every signed-in user can find, for a list that filters its own entries
 * @throws NotFound; Redirected 307 to the same target under the current name; Forbidden
 */
export function namedUser(call: Call, identity: IdentityService, isListed?: (account: User) => boolean): User {
  const redirect = (login: string) => movedTarget(call.target, call.pattern, { username: login });
  return identity.visible(call.principal, param(call, "username"), redirect, isListed);
}
