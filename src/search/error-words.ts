import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about searches. */
export const searchErrorWords: ErrorWords = {
  "search.bad-expression": "this is no regular expression",
  "search.too-long": "the search is too long",
  "search.too-vague": "at least three characters next to each other are needed to search everywhere",
  "search.too-slow": "the search took too long",
};
