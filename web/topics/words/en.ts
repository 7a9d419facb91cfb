import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  topics: "Topics",
  field: "Topics of this repository",
  hint: "Keywords that help people find it, separated by commas or spaces: up to 25, with lower-case letters, digits, dots and hyphens.",
  save: "Save topics",
  saved: "The topics were saved.",
  "topics.too-many": "There can be at most 25 topics.",
  "topics.bad-names": "These cannot be topics: {names}",
  "topics.bad-name": "This is not a valid topic: {name}",
  "topics.full": "There can be at most 25 topics.",
} as const satisfies Messages;
