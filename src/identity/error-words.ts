import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about accounts (contract identity.md). */
export const identityErrorWords: ErrorWords = {
  "account.not-own": "doer should be the site admin or be same as the contextUser",
  "account.missing": ({ name }) => `user does not exist [uid: 0, name: ${name}]`,
  "identity.too-many-attempts": "too many failed attempts, try again later",
  "identity.too-many-sign-ins": "too many people sign in right now, try again in a moment",
};
