import type { User } from "../access/user.ts";
import type { Links } from "../kernel/links.ts";

/** A name and an address as commits carry them. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

/** How an account appears in commits made for it: whoever hides the address is named by the placeholder. */
export function gitIdentityOf(user: User, links: Links): GitIdentity {
  return { name: user.fullName.trim() || user.login, email: user.hideEmail ? noReplyEmail(user, links) : user.email };
}

/** The placeholder for the address of an account. */
export function noReplyEmail(user: User, links: Links): string {
  return `${user.id}+${user.login.toLowerCase()}@${links.noReplyDomain}`;
}

/** The number of the account a placeholder address stands for; undefined for other addresses. */
export function accountOfNoReply(email: string, links: Links): number | undefined {
  const [local = "", domain] = email.toLowerCase().split("@");
  if (domain !== links.noReplyDomain) return undefined;
  const id = /^(\d{1,15})\+/.exec(local)?.[1];
  return id === undefined ? undefined : Number(id);
}
