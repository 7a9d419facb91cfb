import type { MailContent } from "../../mail/content.ts";
import type { StatusName } from "../runs/statuses.ts";

/** Which of the runs they started users are mailed about. */
export const runMailPreferences = ["all", "failure-only", "disabled"] as const;
export type RunMailPreference = (typeof runMailPreferences)[number];

export function isRunMailPreference(word: string): word is RunMailPreference {
  return (runMailPreferences as readonly string[]).includes(word);
}

/** The contents of a mail about a run; the web UI supplies the wording. */
export interface RunMail {
  /** The account's language setting; empty if none. */
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
  /** Where recipients can turn these mails off. */
  readonly settings: string;
}

export type RunMailWords = (about: RunMail) => Promise<MailContent>;
