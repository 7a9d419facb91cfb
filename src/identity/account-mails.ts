import type { MailContent } from "../mail/content.ts";

/** What the mails about an account say; the pages' side has the words (web/identity/mails.ts). */
export interface AccountMailWords {
  activate(about: AccountMail): MailContent;
  confirmAddress(about: AccountMail): MailContent;
  resetPassword(about: AccountMail): MailContent;
}

export interface AccountMail {
  readonly login: string;
  readonly href: string;
  /** How long the link works. */
  readonly minutes: number;
}

export const MAIL_KINDS = {
  activate: "identity.activate",
  "confirm-email": "identity.confirm-email",
  "reset-password": "identity.reset-password",
} as const;
