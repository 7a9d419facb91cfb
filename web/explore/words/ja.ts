import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  explore: "探す",
  repositories: "リポジトリ",
  users: "ユーザー",
  organizations: "組織",
  searchOrganizations: "組織を検索",
  noOrganizations: "組織はまだありません",
  searchRepositories: "リポジトリを検索",
  searchUsers: "ユーザーを検索",
  newest: "新しい順",
  oldest: "古い順",
  alphabetically: "名前の昇順",
  reversealphabetically: "名前の降順",
  joined: "登録: {time}",
  noRepositories: "表示するリポジトリがありません",
  noUsers: "表示するユーザーがいません",
  noMatch: "一致する結果が見つかりませんでした。",
  noMatchHint: "語を減らすか、別の語をお試しください。",
};
