import type { MailContent } from "../../mail/content.ts";
import type { StatusName } from "../runs/statuses.ts";

/** Of which of the runs that they started people are mailed. */
export const runMailPreferences = ["all", "failure-only", "disabled"] as const;
export type RunMailPreference = (typeof runMailPreferences)[number];

export function isRunMailPreference(word: string): word is RunMailPreference {
  return (runMailPreferences as readonly string[]).includes(word);
}

/** What a mail about a run says; the pages' side has the words. */
export interface RunMail {
  /** The language of the account's own setting; empty: none. */
  readonly language: string;
  /** `owner/repo`. */
  readonly repo: string;
  readonly workflow: string;
  readonly title: string;
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly ref: string;
  readonly commit: string;
  readonly status: StatusName;
  readonly jobs: readonly { readonly name: string; readonly status: StatusName }[];
  readonly href: string;
  /** Where one says that one wants no more of this. */
  readonly settings: string;
}

export type RunMailWords = (about: RunMail) => Promise<MailContent>;
