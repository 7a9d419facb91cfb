import type { ErrorWords } from "../http/error-words.ts";

/** What the API says of commit statuses. */
export const statusErrorWords: ErrorWords = {
  "commit-status.too-many": ({ max }) => `a commit has at most ${max} statuses`,
};
