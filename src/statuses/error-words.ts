import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about commit statuses. */
export const statusErrorWords: ErrorWords = {
  "commit-status.too-many": ({ max }) => `a commit has at most ${max} statuses`,
};
