import { chooseLanguage } from "../../src/language/choose.ts";
import type { MailBlock, MailContent } from "../../src/mail/content.ts";
import type { ItemMail, MailedHappening } from "../../src/notifications/mails/types.ts";
import { notificationsWords } from "./words/index.ts";

const sentences = {
  new: "mailNew",
  comment: "mailComment",
  review: "mailReview",
  dismissed: "mailDismissed",
  close: "mailClose",
  reopen: "mailReopen",
  merge: "mailMerge",
  push: "mailPush",
  ready: "mailReady",
  assigned: "mailAssigned",
  "review-requested": "mailReviewRequested",
} as const satisfies Partial<Record<MailedHappening, string>>;

/** An email about an event on an issue or pull request, in the recipient's language. */
export function itemMail(about: ItemMail): MailContent {
  const language = chooseLanguage({ account: about.language });
  const t = notificationsWords.in(language);
  const { href, item, reason, repo, settings, text, what } = about;
  const name = about.doer || t("someone");
  const sentence =
    what === "transfer" ? t("mailTransfer", { name, repo }) : t(sentences[what], { name, number: item?.number ?? 0 });
  const blocks: MailBlock[] = [
    { kind: "paragraph", text: sentence },
    ...(text ? [{ kind: "written", text: text.source, html: text.html } as const] : []),
    { kind: "action", label: t("mailOpen"), href },
    { kind: "note", text: t("mailWhy", { reason: t(`reason-${reason}`) }) },
    ...(settings ? [{ kind: "note", text: t("mailWhySettings", { href: settings }) } as const] : []),
  ];
  // A line break in a user-typed title must not end the header.
  const title = item?.title.replaceAll(/\p{Cc}/gu, " ");
  const subject = item ? `[${repo}] ${title} (#${item.number})` : sentence;
  return { subject: item && what !== "new" ? `Re: ${subject}` : subject, blocks, language: language.code };
}
