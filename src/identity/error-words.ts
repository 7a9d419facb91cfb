import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about accounts (contract identity.md). */
export const identityErrorWords: ErrorWords = {
  "account.not-own": "doer should be the site admin or be same as the contextUser",
};
