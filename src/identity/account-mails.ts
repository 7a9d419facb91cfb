import type { MailContent } from "../mail/content.ts";

/** What a mail about an account says; the pages' side has the words (web/identity/mails.ts) and loads them for the mail. */
export type AccountMailWords = (kind: keyof typeof MAIL_KINDS, about: AccountMail) => Promise<MailContent>;

export interface AccountMail {
  readonly login: string;
  /** The language of the account's own setting; empty: none. */
  readonly language: string;
  readonly href: string;
  /** How long the link works. */
  readonly minutes: number;
}

export const MAIL_KINDS = {
  activate: "identity.activate",
  "confirm-email": "identity.confirm-email",
  "reset-password": "identity.reset-password",
} as const;

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Finds out whether an address waits for its activation, and mails the link. */
    "identity.resend-activation": { readonly email: string };
    /** Finds out whose address it is, and mails the link for a new password. */
    "identity.password-recovery": { readonly email: string };
  }
}

/** The address in the payload of a job that sends a mail when someone asked for it. @throws TypeError there is none */
export function emailIn(payload: unknown): string {
  const { email } = (payload ?? {}) as { email?: unknown };
  if (typeof email !== "string") throw new TypeError("the job names no address");
  return email;
}
