import type { User } from "../../access/user.ts";
import type { EmailService } from "../../identity/emails/service.ts";
import { gitIdentityOf, noReplyEmail } from "../../identity/git-identity.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";

interface Needed {
  readonly emails: EmailService;
  readonly links: Links;
}

/** The addresses an account may use in a commit made in the browser, starting with the default. */
export function ownAddresses({ emails, links }: Needed, user: User): string[] {
  const own = emails.ofAccount(user.id).filter(({ isVerified }) => isVerified);
  const { email } = gitIdentityOf(user, links);
  return [...new Set([email, ...own.map((each) => each.email), noReplyEmail(user, links)])];
}

/** @throws ValidationFailed if the address is not the account's own */
export function requireOwnAddress(needed: Needed, user: User, email: string): void {
  if (!ownAddresses(needed, user).includes(email))
    throw new ValidationFailed("edit.foreign-email", { field: "commit_email" });
}
