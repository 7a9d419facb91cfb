import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about issues and what is said under them. */
export const issueErrorWords: ErrorWords = {
  "comment.item-locked": "You cannot comment on a locked issue.",
  "comment.not-yours": "",
  "comment.has-no-text": "",
  "comment.changed": "the comment is already changed",
};
