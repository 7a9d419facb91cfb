import type { AccountMail, MAIL_KINDS } from "../../src/identity/account-mails.ts";
import { chooseLanguage } from "../../src/language/choose.ts";
import { type MailContent, unlinked } from "../../src/mail/content.ts";
import { identityWords } from "./words/index.ts";

/** Emails are in the account's language. */
const wordsOf = (account: string | undefined) => identityWords.in(chooseLanguage({ account }));

/** An email about an account. */
export function accountMail(
  site: string,
  kind: keyof typeof MAIL_KINDS,
  { login, language, href, minutes }: AccountMail,
): MailContent {
  const t = wordsOf(language);
  const name = unlinked(login);
  switch (kind) {
    case "activate":
      return {
        subject: t("mailActivateSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailActivate", { name, site }) },
          { kind: "action", label: t("mailActivateAction"), href },
          { kind: "note", text: t("mailActivateNote", { minutes }) },
        ],
      };
    case "confirm-email":
      return {
        subject: t("mailConfirmSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailConfirm", { name, site }) },
          { kind: "action", label: t("mailConfirmAction"), href },
          { kind: "note", text: t("mailConfirmNote", { minutes, name }) },
        ],
      };
    case "reset-password":
      return {
        subject: t("mailResetSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailReset", { name, site }) },
          { kind: "action", label: t("mailResetAction"), href },
          { kind: "note", text: t("mailResetNote", { minutes }) },
        ],
      };
  }
}

/** The email that an operator sends to test delivery. */
export function testMail(site: string): MailContent {
  const t = wordsOf(undefined);
  return { subject: t("mailTestSubject", { site }), blocks: [{ kind: "paragraph", text: t("mailTest", { site }) }] };
}
