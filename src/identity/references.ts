import { segment } from "../kernel/url-path.ts";
import type { AccountReference } from "../references/grammar.ts";
import type { Resolver } from "../references/service.ts";
import type { IdentityService } from "./service.ts";

/** `@name`: active accounts that the reader may see, in one query. */
export function accountReferences(identity: IdentityService): Resolver<AccountReference> {
  return ({ principal }, references) => {
    const logins = references.map(({ login }) => login);
    const users = identity.seenByLogins(principal, logins);
    return references.map(({ login }) => {
      const user = users.get(login.toLowerCase());
      if (!user) return undefined;
      const about = user.fullName === "" ? {} : { title: user.fullName };
      return { href: `/${segment(user.login)}`, label: `@${user.login}`, className: "mention", ...about };
    });
  };
}
