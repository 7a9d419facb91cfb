import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  ofUser: "{name} 的动态",
  ofRepository: "{repository} 的动态",
  ofBranch: "{repository} 的 {branch} 分支上的提交",
  ofFile: "{repository} 的 {branch} 分支上 {path} 的提交",
  ofTags: "{repository} 的标签",
  ofReleases: "{repository} 的发行版",
};
