import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  star: "スターを付ける",
  unstar: "スターを外す",
  watch: "ウォッチ",
  unwatch: "ウォッチを解除",
  stars: "スター",
  stargazers: "スターを付けた人",
  watchers: "ウォッチしている人",
  noStargazers: "このリポジトリにはまだスターがありません",
  noWatchers: "このリポジトリをウォッチしている人はいません",
  noStars: "スターを付けたリポジトリはありません",
};
