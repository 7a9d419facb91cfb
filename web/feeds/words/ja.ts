import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  ofUser: "{name} のアクティビティ",
  ofRepository: "{repository} のアクティビティ",
  ofBranch: "{repository} の {branch} のコミット",
  ofFile: "{repository} の {branch} にある {path} のコミット",
  ofTags: "{repository} のタグ",
  ofReleases: "{repository} のリリース",
};
