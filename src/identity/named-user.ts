import type { User } from "../access/user.ts";
import { movedTarget } from "../http/path.ts";
import { type Call, param } from "../http/route.ts";
import type { IdentityService } from "./service.ts";

/**
 * The account that `:username` of the path names, as far as the caller sees it.
 * @param isListed which accounts are found by everyone who is signed in, for a list that judges what is in it
 * @throws NotFound; Redirected 307 to the same target under the present name; Forbidden
 */
export function namedUser(call: Call, identity: IdentityService, isListed?: (account: User) => boolean): User {
  const redirect = (login: string) => movedTarget(call.target, call.pattern, { username: login });
  return identity.visible(call.principal, param(call, "username"), redirect, isListed);
}
