import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  newIssue: "新しいイシュー",
  getStarted: "始める",
  blank: "白紙のイシュー",
  blankAbout: "何もない状態から始めます。",
  open: "開く",
  choose: "選択…",
  "problem-required": "入力が必要です。",
  "problem-number": "数値ではありません。",
  "problem-pattern": "指定された形式ではありません。",
};
