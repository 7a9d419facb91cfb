import type { SecurityMail, ToldAction } from "../../src/identity/security-mails.ts";
import { chooseLanguage } from "../../src/language/choose.ts";
import { type MailContent, unlinked } from "../../src/mail/content.ts";
import { identityWords } from "./words/index.ts";

const sentences = {
  "password-changed": "mailPasswordChanged",
  "password-recovered": "mailPasswordRecovered",
  "passcodes-enabled": "mailPasscodesEnabled",
  "passcodes-disabled": "mailPasscodesDisabled",
  "passkey-added": "mailPasskeyAdded",
  "passkey-removed": "mailPasskeyRemoved",
  "two-factor-removed": "mailTwoFactorRemoved",
  "key-added": "mailKeyAdded",
  "email-added": "mailEmailAdded",
  "email-primary": "mailEmailPrimary",
  "sign-in": "mailNewSignIn",
} as const satisfies Record<ToldAction, string>;

/** Notifies users of a security change to their account, in the account's language. */
export function securityMail(site: string, about: SecurityMail): MailContent {
  const { login, language, action, what, at, address, href } = about;
  const chosen = chooseLanguage({ account: language });
  const t = identityWords.in(chosen);
  const date = chosen.moment(at);
  const names = { name: unlinked(login), site, what: unlinked(what) };
  return {
    subject: t("mailSecuritySubject", { name: login, site }),
    blocks: [
      { kind: "paragraph", text: t(sentences[action], names) },
      {
        kind: "paragraph",
        text: address === "" ? t("mailSecurityByServer", { date }) : t("mailSecurityFrom", { date, address }),
      },
      { kind: "action", label: t("mailSecurityAction"), href },
      { kind: "note", text: t("mailSecurityNote") },
    ],
  };
}
