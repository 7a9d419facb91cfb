import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  code: "Code",
  commits: "Commits",
  branches: "Branches",
  tags: "Tags",
  committed: "committed {time}",
} as const satisfies Messages;
