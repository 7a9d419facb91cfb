import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  deletedItems: "削除したイシュー",
  about: { other: "削除したイシュー、プルリクエスト、コメントは {count} 日間、関連するすべてとともに復元できます。" },
  isOff: "削除したイシューとコメントはすぐに消えます。",
  isEmpty: "最近削除されたものはありません",
  commentOn: "#{number} {title} へのコメント",
  deletedBy: "{time}に {name} が削除",
  deletedAt: "{time}に削除",
  goesAt: "{time}に完全に消えます",
  restore: "復元",
  deleteForGood: "完全に削除",
  purgeWarning: "{name} と関連するすべてが完全に削除されます。",
  purged: "完全に削除しました。",
  restored: "#{number} を復元しました。",
  commentRestored: "コメントを復元しました。",
  undo: "元に戻す",
  itemDeleted: "#{number} を削除しました。",
  commentDeleted: "コメントを削除しました。",
  "issue.not-restorable": "復元できません。必要なものがなくなっています。",
};
