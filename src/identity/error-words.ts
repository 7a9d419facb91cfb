import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what accounts refuse. */
export const identityErrorWords: ErrorWords = {
  "identity.code-invalid": "the code is invalid or has expired",
  "identity.mail-sent-already": "a mail was sent to this address a moment ago",
  "identity.password-wrong": "the password is incorrect",
  "mail.not-configured": "this server sends no mail",
  "mail.header-invalid": "a header of the mail is invalid",
};
