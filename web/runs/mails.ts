import type { RunMail } from "../../src/actions/mails/types.ts";
import { chooseLanguage } from "../../src/language/choose.ts";
import type { MailBlock, MailContent } from "../../src/mail/content.ts";
import { notificationsWords } from "../notifications/words/index.ts";
import { runsWords } from "./words/index.ts";

/** Further jobs are not listed. */
const MAX_JOBS = 50;

/** An email about a finished run, in the recipient's language. */
export function runMail(about: RunMail): MailContent {
  const { commit, href, jobs, ref, repo, settings, status, title, workflow } = about;
  const language = chooseLanguage({ account: about.language });
  const t = runsWords.in(language);
  const common = notificationsWords.in(language);
  const state = t(`status-${status}`);
  const blocks: MailBlock[] = [
    { kind: "paragraph", text: t("mailEnded", { workflow, ref, state }) },
    { kind: "paragraph", text: title },
    ...jobs
      .slice(0, MAX_JOBS)
      .map((job) => ({ kind: "paragraph", text: `${job.name}: ${t(`status-${job.status}`)}` }) as const),
    { kind: "action", label: common("mailOpen"), href },
    { kind: "note", text: common("mailWhy", { reason: t("mailStarted") }) },
    { kind: "note", text: common("mailWhySettings", { href: settings }) },
  ];
  // A line break in a user-chosen name must not end the header.
  const subject = `[${repo}] ${workflow}: ${state} - ${ref} (${commit.slice(0, 10)})`.replaceAll(/\p{Cc}/gu, " ");
  return { subject, blocks, language: language.code };
}
