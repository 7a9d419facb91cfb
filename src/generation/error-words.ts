import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about generating repositories (contract repositories.md 6). */
export const generationErrorWords: ErrorWords = {
  "generation.no-template": "this is not a template repo",
  "generation.nothing-selected": "must select at least one template item",
  "generation.for-others": "Only admin can generate repository for other user.",
  "generation.not-in-organization": "Given user is not allowed to create repository in organization.",
  "generation.owner-missing": ({ name }) => `request owner \`${name}\` does not exist`,
  "generation.same-path": ({ path }) => `two files of the template would be called ${path}`,
};
