import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  code: "Code",
  commits: "Commits",
  branches: "Branches",
  tags: "Étiquettes",
  committed: "commit {time}",
};
