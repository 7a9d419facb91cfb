import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about blocks (contract identity.md 11.2). */
export const blockErrorWords: ErrorWords = {
  "block.blocked": "user is blocked",
  "block.not-allowed": "cannot block the user",
  "block.is-organization": "cannot block an organization",
  "block.not-blocked": "cannot unblock the user",
  "block.unknown": ({ login }) => `user does not exist [uid: 0, name: ${login}]`,
  // The answer to a query, given by the status alone.
  "block.none": "",
};
