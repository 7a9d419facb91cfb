import type { AuditAction, AuditEntry } from "../audit/actions.ts";
import type { AuditService } from "../audit/service.ts";
import type { MailContent } from "../mail/content.ts";
import type { MailService } from "../mail/service.ts";
import type { IdentityService } from "./service.ts";

/** Changes that are mailed to the account's owner, whoever made them; the words are the pages'. */
const TOLD = [
  "password-changed",
  "password-recovered",
  "passcodes-enabled",
  "passcodes-disabled",
  "passkey-added",
  "passkey-removed",
  "two-factor-removed",
  "key-added",
  "email-added",
  "email-primary",
  "sign-in",
] as const satisfies readonly AuditAction[];

export type ToldAction = (typeof TOLD)[number];

export interface SecurityMail {
  readonly login: string;
  /** The language in the account's settings; empty: none. */
  readonly language: string;
  readonly action: ToldAction;
  /** The key, passkey or address concerned; empty: none. */
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The network address of the request; empty: from the server itself. */
  readonly address: string;
  readonly href: string;
}

export type SecurityMailWords = (about: SecurityMail) => Promise<MailContent>;

export interface SecurityMailParts {
  readonly audit: AuditService;
  readonly mail: MailService;
  readonly identity: IdentityService;
  readonly words: SecurityMailWords;
  readonly rootUrl: string;
}

const KIND = "identity.security";

/**
 * Mails people about security changes to their account, so that they notice what they did not do. Mails are enqueued
 * in the transaction of the change and go to the primary address; if that changed, to the previous one.
 */
export function mailSecurityChanges({ audit, mail, identity, words, rootUrl }: SecurityMailParts): void {
  mail.compose(KIND, async ({ user: id, action, what, at, address, to }) => {
    const user = identity.byId(Number(id));
    const told = TOLD.find((one) => one === action);
    if (user?.kind !== "individual" || !told) return undefined;
    const about: SecurityMail = {
      login: user.login,
      language: user.language,
      action: told,
      what: String(what),
      at: Number(at),
      address: String(address),
      href: `${rootUrl}user/settings/security/log`,
    };
    return { to: String(to) || user.email, content: await words(about) };
  });
  audit.onRecorded(({ accountId, action, at, address, details }) => {
    const told = TOLD.find((one) => one === action);
    if (accountId === undefined || !told) return;
    if (told === "sign-in" && !isUnknownPlace(audit, { accountId, address, details })) return;
    const what = details["name"] ?? details["email"] ?? "";
    mail.enqueue(KIND, { user: accountId, action, what, at, address, to: details["before"] ?? "" });
  });
}

/** A sign-in from a place that none of the recent ones came from; the very first does not count. */
function isUnknownPlace(
  audit: AuditService,
  { accountId, address, details }: Pick<AuditEntry, "address" | "details"> & { readonly accountId: number },
): boolean {
  if (address === "" || details["method"] === "remembered") return false;
  return audit.hasSignedInFrom(accountId, address) === "no";
}
