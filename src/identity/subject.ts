import type { Principal } from "../access/principal.ts";
import type { SubjectResolver } from "../http/subject.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { IdentityService } from "./service.ts";

declare module "../http/subject.ts" {
  interface SubjectKinds {
    /** The account named by `:username`, for itself or a site administrator. */
    "own-account": { needs: object; found: undefined };
  }
}

/** Admits the account that the path names, by its current or a former name, and site administrators. */
export function ownAccountSubject(identity: IdentityService): SubjectResolver<"own-account"> {
  return {
    find: () => undefined,
    require: (_, __, { principal, params }) => {
      if (principal.user?.isAdmin || isOwnName(identity, principal, params["username"] ?? "")) return;
      throw new Forbidden("account.not-own");
    },
    standing: () => "",
  };
}

/** A former name counts: the handler redirects to the current one. */
function isOwnName(identity: IdentityService, { user }: Principal, name: string): boolean {
  if (!user) return false;
  if (user.login.toLowerCase() === name.toLowerCase()) return true;
  return !identity.byLogin(name) && identity.renamedTo(name)?.id === user.id;
}
