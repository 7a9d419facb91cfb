import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  star: "标星",
  unstar: "取消标星",
  watch: "关注",
  unwatch: "取消关注",
  stars: "标星",
  stargazers: "标星者",
  watchers: "关注者",
  noStargazers: "还没有人标星此仓库",
  noWatchers: "没有人关注此仓库",
  noStars: "没有已标星的仓库",
};
