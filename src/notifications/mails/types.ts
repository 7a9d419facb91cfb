import type { MailContent } from "../../mail/content.ts";
import type { SafeHtml } from "../../markup/safe-html.ts";
import type { NotificationReason } from "../types.ts";

/** Which mails someone gets: about everything others do, only mentions, none, or also about their own actions. */
export const mailPreferences = ["enabled", "onmention", "disabled", "andyourown"] as const;
export type MailPreference = (typeof mailPreferences)[number];

export function isMailPreference(word: string): word is MailPreference {
  return (mailPreferences as readonly string[]).includes(word);
}

/** The events of mails (contract issues.md 25.1). */
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

/** The content of a mail; the words are the pages'. */
export interface ItemMail {
  readonly what: MailedHappening;
  readonly reason: NotificationReason;
  /** The language in the account's settings; empty: none. */
  readonly language: string;
  /** The display name of the actor; empty: the account is gone. */
  readonly doer: string;
  /** `owner/repo`. */
  readonly repo: string;
  /** Undefined: it is about the repository. */
  readonly item: { readonly title: string; readonly number: number; readonly isPull: boolean } | undefined;
  /** The text: as written, and as HTML with absolute addresses. */
  readonly text: { readonly source: string; readonly html: SafeHtml } | undefined;
  readonly href: string;
  /** The address for unsubscribing; empty: none. */
  readonly settings: string;
}

export type ItemMailWords = (about: ItemMail) => Promise<MailContent>;
