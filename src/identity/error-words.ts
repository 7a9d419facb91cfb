import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about accounts (contract identity.md). */
export const identityErrorWords: ErrorWords = {
  "account.code-invalid": "the code is invalid or has expired",
  "account.mail-sent-already": "a mail was sent to this address a moment ago",
  "account.not-own": "doer should be the site admin or be same as the contextUser",
  "account.missing": ({ name }) => `user does not exist [uid: 0, name: ${name}]`,
  "account.password-wrong": "the password is incorrect",
};
