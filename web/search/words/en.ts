import type { Messages } from "../../../src/language/catalogue.ts";

/** Search in code. */
export const en = {
  code: "Code",
  searchCode: "Search code",
  searchHere: "Search in {repository}",
  search: "Search",
  mode: "How to search",
  "mode-exact": "Exact",
  "mode-words": "All words",
  "mode-regexp": "Regular expression",
  allLanguages: "All languages",
  language: "Language",
  resultCount: { one: "{count} file", other: "{count} files" },
  atLeast: { one: "At least {count} file", other: "At least {count} files" },
  partial: "There are more files than were searched in time. A longer text narrows it down.",
  moreLines: { one: "{count} more line", other: "{count} more lines" },
  noMatch: "No matching results found.",
  noMatchHint: "Only default branches are searched, and no binary or very large files.",
  prompt: "Search in the code of all repositories that you may read.",
  promptHere: "Only the default branch is searched: {branch}.",
  missing: "The code of this repository is being indexed. The page shows what it finds as soon as that is done.",
  missingEverywhere: "The code is being indexed. Come back in a moment.",
  "search.bad-expression": "This is not a valid regular expression.",
  "search.too-long": "The search is too long.",
  "search.too-vague": "At least three characters next to each other are needed to search everywhere.",
  "search.too-slow": "This took too long and was stopped. A simpler expression may find it.",
} as const satisfies Messages;
