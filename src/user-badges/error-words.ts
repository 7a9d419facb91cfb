import type { ErrorWords } from "../http/error-words.ts";

export const badgeErrorWords: ErrorWords = {
  "badge.bad-slug": "badge slug is invalid: letters, digits and single hyphens only",
  "badge.slug-taken": "badge already exists",
  "badge.missing": ({ slug }) => `badge does not exist [slug: ${slug}]`,
};
