import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  explore: "探索",
  repositories: "仓库",
  users: "用户",
  organizations: "组织",
  searchOrganizations: "搜索组织",
  noOrganizations: "还没有组织",
  searchRepositories: "搜索仓库",
  searchUsers: "搜索用户",
  newest: "最新",
  oldest: "最早",
  alphabetically: "名称，A 到 Z",
  reversealphabetically: "名称，Z 到 A",
  joined: "加入于 {time}",
  noRepositories: "没有可显示的仓库",
  noUsers: "没有可显示的用户",
  noMatch: "未找到匹配的结果。",
  noMatchHint: "请尝试减少或更换关键词。",
};
