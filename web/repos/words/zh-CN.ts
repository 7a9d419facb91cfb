import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  newRepository: "新建仓库",
  settings: "设置",
  general: "常规",
  collaborators: "协作者",
  branches: "分支",
  repositorySettings: "仓库设置",

  recentupdate: "最近更新",
  leastupdate: "最久未更新",
  newest: "最新",
  oldest: "最早",
  alphabetically: "名称，A 到 Z",
  reversealphabetically: "名称，Z 到 A",
  size: "最小",
  reversesize: "最大",
  archived: "已归档",
  template: "模板",
  updated: "更新于 {time}",
};
