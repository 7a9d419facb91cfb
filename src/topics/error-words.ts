import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about topics (contract repositories.md 13). */
export const topicErrorWords: ErrorWords = {
  "topics.too-many": "Exceeding maximum number of topics per repo",
  "topics.full": "Exceeding maximum allowed topics per repo.",
  "topics.bad-names": "Topic names are invalid",
  "topics.bad-name": "Topic name is invalid",
};
