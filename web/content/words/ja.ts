import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  code: "コード",
  commits: "コミット",
  branches: "ブランチ",
  tags: "タグ",
  committed: "コミット: {time}",
};
