import { chooseLanguage } from "../../src/language/choose.ts";
import type { MailBlock, MailContent } from "../../src/mail/content.ts";
import type { ReleaseMail } from "../../src/releases/mails.ts";
import { notificationsWords } from "../notifications/words/index.ts";
import { releasesWords } from "./words/index.ts";

/** An email about a release, in the recipient's language. */
export function releaseMail(about: ReleaseMail): MailContent {
  const { archives, doer, href, notes, repo, settings, tag, title } = about;
  const language = chooseLanguage({ account: about.language });
  const t = releasesWords.in(language);
  const common = notificationsWords.in(language);
  const sentence = doer === "" ? t("mailPublished", { tag, repo }) : t("mailPublishedBy", { name: doer, tag, repo });
  const blocks: MailBlock[] = [
    { kind: "paragraph", text: sentence },
    ...(notes ? [{ kind: "written", text: notes.source, html: notes.html } as const] : []),
    { kind: "action", label: common("mailOpen"), href },
    ...archives.map((address) => ({ kind: "note", text: t("mailArchive", { href: address }) }) as const),
    { kind: "note", text: common("mailWhy", { reason: common("reason-watching") }) },
    { kind: "note", text: common("mailWhySettings", { href: settings }) },
  ];
  // A line break in a user-typed title must not end the header.
  return { subject: `[${repo}] ${title.replaceAll(/\p{Cc}/gu, " ")}`, blocks, language: language.code };
}
