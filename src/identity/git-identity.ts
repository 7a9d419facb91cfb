import type { User } from "../access/user.ts";
import type { Links } from "../kernel/links.ts";
import type { IdentityService } from "./service.ts";

/** A name and an address as in commits. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

/** How an account appears in commits made for it: if it hides its address, with the placeholder. */
export function gitIdentityOf(user: User, links: Links): GitIdentity {
  return { name: user.fullName.trim() || user.login, email: user.hideEmail ? noReplyEmail(user, links) : user.email };
}

/** The placeholder for the address of an account. */
export function noReplyEmail(user: User, links: Links): string {
  return `${user.id}+${user.login.toLowerCase()}@${links.noReplyDomain}`;
}

/** The id of the account a placeholder address stands for; undefined for other addresses. */
export function accountOfNoReply(email: string, links: Links): number | undefined {
  const [local = "", domain] = email.toLowerCase().split("@");
  if (domain !== links.noReplyDomain) return undefined;
  const id = /^(\d{1,15})\+/.exec(local)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The accounts behind addresses in commits, by address: proven ones, and placeholders. @param emails in lower case */
export function accountsBehind(
  identity: Pick<IdentityService, "byEmails" | "byIds">,
  links: Links,
  emails: readonly string[],
): Map<string, User> {
  const people = new Map<string, User>();
  const placeholders = new Map<string, number>();
  const real: string[] = [];
  for (const email of emails) {
    const id = accountOfNoReply(email, links);
    if (id === undefined) real.push(email);
    else placeholders.set(email, id);
  }
  if (real.length > 0) for (const [email, user] of identity.byEmails(real)) people.set(email, user);
  if (placeholders.size > 0) {
    const users = identity.byIds([...placeholders.values()]);
    for (const [email, id] of placeholders) {
      const user = users.get(id);
      if (user) people.set(email, user);
    }
  }
  return people;
}
