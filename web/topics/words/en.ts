import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  topics: "Topics",
  field: "Topics of this repository",
  hint: "Words people find it by, with commas or spaces between them: up to 25, of lower-case letters, digits, dots and hyphens.",
  save: "Save topics",
  saved: "The topics are saved.",
  "topics.too-many": "There can be at most 25 topics.",
  "topics.bad-names": "These cannot be topics: {names}",
  "topics.bad-name": "This cannot be a topic: {name}",
  "topics.full": "There can be at most 25 topics.",
} as const satisfies Messages;
