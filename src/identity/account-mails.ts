import type { MailContent } from "../mail/content.ts";

/**
 * Builds the content of a mail about an account; the words are the pages' (web/identity/mails.ts), loaded on demand.
 */
export type AccountMailWords = (kind: keyof typeof MAIL_KINDS, about: AccountMail) => Promise<MailContent>;

export interface AccountMail {
  readonly login: string;
  /** The language in the account's settings; empty: none. */
  readonly language: string;
  readonly href: string;
  /** How long the link stays valid. */
  readonly minutes: number;
}

export const MAIL_KINDS = {
  activate: "identity.activate",
  "confirm-email": "identity.confirm-email",
  "reset-password": "identity.reset-password",
} as const;

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Checks whether an address is awaiting activation, and mails the link. */
    "identity.resend-activation": { readonly email: string };
    /** Looks up the account of an address, and mails the link for a new password. */
    "identity.password-recovery": { readonly email: string };
  }
}

/** The address in the payload of a job that sends a requested mail. @throws TypeError it has none */
export function emailIn(payload: unknown): string {
  const { email } = (payload ?? {}) as { email?: unknown };
  if (typeof email !== "string") throw new TypeError("the job names no address");
  return email;
}
