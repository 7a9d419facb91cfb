import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  code: "Code",
  commits: "Commits",
  branches: "Branches",
  tags: "Tags",
  committed: "committet {time}",
};
