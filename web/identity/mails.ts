import type { AccountMailWords } from "../../src/identity/account-mails.ts";
import { chooseLanguage } from "../../src/language/choose.ts";
import { type MailContent, unlinked } from "../../src/mail/content.ts";
import { identityWords } from "./words/index.ts";

/** Mails speak the account's own language. */
const wordsOf = (account: string | undefined) => identityWords.in(chooseLanguage({ account }));

/** The words of the mails about an account. */
export function accountMails(site: string): AccountMailWords {
  return {
    activate: ({ login, language, href, minutes }) => {
      const t = wordsOf(language);
      return {
        subject: t("mailActivateSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailActivate", { name: unlinked(login), site }) },
          { kind: "action", label: t("mailActivateAction"), href },
          { kind: "note", text: t("mailActivateNote", { minutes }) },
        ],
      };
    },
    confirmAddress: ({ login, language, href, minutes }) => {
      const t = wordsOf(language);
      return {
        subject: t("mailConfirmSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailConfirm", { name: unlinked(login), site }) },
          { kind: "action", label: t("mailConfirmAction"), href },
          { kind: "note", text: t("mailConfirmNote", { minutes, name: unlinked(login) }) },
        ],
      };
    },
    resetPassword: ({ login, language, href, minutes }) => {
      const t = wordsOf(language);
      return {
        subject: t("mailResetSubject", { site }),
        blocks: [
          { kind: "paragraph", text: t("mailReset", { name: unlinked(login), site }) },
          { kind: "action", label: t("mailResetAction"), href },
          { kind: "note", text: t("mailResetNote", { minutes }) },
        ],
      };
    },
  };
}

/** The mail by which an operator sees that mail works. */
export function testMail(site: string): MailContent {
  const t = wordsOf(undefined);
  return { subject: t("mailTestSubject", { site }), blocks: [{ kind: "paragraph", text: t("mailTest", { site }) }] };
}
