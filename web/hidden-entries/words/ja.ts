import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  conversations: "会話",
  leftOut: "会話に表示しないもの",
  hint: "コメントとレビューは常に表示されます。この設定はあなただけに適用されます。",
  save: "保存",
  saved: "選択した項目は会話に表示されなくなりました。",
  "topic-reference": "課題、プルリクエスト、コミットからの参照",
  "topic-label": "ラベル",
  "topic-milestone": "マイルストーン",
  "topic-assignee": "担当者",
  "topic-title": "タイトルの変更",
  "topic-branch": "ブランチの変更",
  "topic-time_tracking": "記録した時間",
  "topic-deadline": "期日",
  "topic-dependency": "依存関係",
  "topic-lock": "ロックとロック解除",
  "topic-review_request": "レビューの依頼",
  "topic-push": "プッシュされたコミット",
  "topic-scheduled_merge": "予約されたマージとマージキュー",
  "topic-project": "プロジェクト",
  "topic-pin": "ピン留めとその解除",
};
