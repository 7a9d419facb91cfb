import type { MailContent } from "../../mail/content.ts";
import type { SafeHtml } from "../../markup/safe-html.ts";
import type { NotificationReason } from "../types.ts";

/** Which mails someone wants: all of what others do, those that name them, none, all and what they do themselves. */
export const mailPreferences = ["enabled", "onmention", "disabled", "andyourown"] as const;
export type MailPreference = (typeof mailPreferences)[number];

export function isMailPreference(word: string): word is MailPreference {
  return (mailPreferences as readonly string[]).includes(word);
}

/** What a mail tells of (contract issues.md 25.1). */
export const mailedHappenings = [
  "new",
  "comment",
  "review",
  "dismissed",
  "close",
  "reopen",
  "merge",
  "push",
  "ready",
  "assigned",
  "review-requested",
  "transfer",
] as const;
export type MailedHappening = (typeof mailedHappenings)[number];

/** What a mail says; the pages' side has the words. */
export interface ItemMail {
  readonly what: MailedHappening;
  readonly reason: NotificationReason;
  /** The language of the account's own setting; empty: none. */
  readonly language: string;
  /** Who did it, as people call them; empty: the account is gone. */
  readonly doer: string;
  /** `owner/repo`. */
  readonly repo: string;
  /** Undefined: it is about the repository. */
  readonly item: { readonly title: string; readonly number: number; readonly isPull: boolean } | undefined;
  /** What was written: as it was, and as HTML whose addresses are whole. */
  readonly text: { readonly source: string; readonly html: SafeHtml } | undefined;
  readonly href: string;
  /** Where one says that one wants no more of this; empty: nowhere. */
  readonly settings: string;
}

export type ItemMailWords = (about: ItemMail) => Promise<MailContent>;
