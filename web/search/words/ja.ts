import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  code: "コード",
  searchCode: "コードを検索",
  searchHere: "{repository} 内を検索",
  search: "検索",
  mode: "検索方法",
  "mode-exact": "完全一致",
  "mode-words": "すべての語",
  "mode-regexp": "正規表現",
  allLanguages: "すべての言語",
  language: "言語",
  resultCount: { other: "{count} 件のファイル" },
  atLeast: { other: "{count} 件以上のファイル" },
  partial: "時間内に検索しきれないほど多くのファイルがあります。より長い文字列で絞り込めます。",
  moreLines: { other: "ほか {count} 行" },
  noMatch: "一致するものはありません。",
  noMatchHint: "検索対象はデフォルトブランチのみで、バイナリや非常に大きなファイルは含まれません。",
  prompt: "閲覧できるすべてのリポジトリのコードを検索します。",
  promptHere: "検索対象はデフォルトブランチのみです：{branch}",
  missing: "このリポジトリのコードは索引を作成中です。終わりしだい結果が表示されます。",
  missingEverywhere: "コードの索引を作成中です。しばらくしてからもう一度お試しください。",
  "search.bad-expression": "正しい正規表現ではありません。",
  "search.too-long": "検索文字列が長すぎます。",
  "search.too-vague": "全体を検索するには、連続した 3 文字以上が必要です。",
  "search.too-slow": "時間がかかりすぎたため中止しました。より単純な式をお試しください。",
};
