import type { ErrorWords } from "../http/error-words.ts";

export const flagErrorWords: ErrorWords = {
  "flag.too-many": ({ max }) => `a repository can have at most ${max} flags`,
};
