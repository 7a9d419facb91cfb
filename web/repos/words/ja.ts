import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  newRepository: "新規リポジトリ",
  settings: "設定",
  general: "全般",
  collaborators: "共同作業者",
  branches: "ブランチ",
  repositorySettings: "リポジトリの設定",

  recentupdate: "更新が新しい順",
  leastupdate: "更新が古い順",
  newest: "新しい順",
  oldest: "古い順",
  alphabetically: "名前の昇順",
  reversealphabetically: "名前の降順",
  size: "小さい順",
  reversesize: "大きい順",
  archived: "アーカイブ済み",
  template: "テンプレート",
  updated: "更新: {time}",
};
