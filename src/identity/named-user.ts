import type { User } from "../access/user.ts";
import { movedTarget } from "../http/path.ts";
import { type Call, param } from "../http/route.ts";
import type { IdentityService } from "./service.ts";

/**
 * The account that `:username` of the path names, as far as the caller sees it.
 * @throws NotFound; Redirected 307 to the same target under the present name; Forbidden
 */
export function namedUser(call: Call, identity: IdentityService): User {
  return identity.visible(call.principal, param(call, "username"), (login) =>
    movedTarget(call.target, call.pattern, { username: login }),
  );
}
