import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what blocks refuse (contract identity.md 11.2). */
export const blockErrorWords: ErrorWords = {
  "block.blocked": "user is blocked",
  "block.not-allowed": "cannot block the user",
  "block.is-organization": "cannot block an organization",
  "block.not-blocked": "cannot unblock the user",
  "block.unknown": ({ login }) => `user does not exist [uid: 0, name: ${login}]`,
  // Asked for, and answered by the status alone.
  "block.none": "",
};
