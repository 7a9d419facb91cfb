import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  deletedItems: "已删除的议题",
  about: { other: "已删除的议题、合并请求和评论在 {count} 天内可以恢复，相关内容都会保留。" },
  isOff: "议题和评论删除后立即消失。",
  isEmpty: "最近没有删除任何内容",
  commentOn: "#{number} {title} 的评论",
  deletedBy: "由 {name} 删除于 {time}",
  deletedAt: "删除于 {time}",
  goesAt: "{time} 永久消失",
  restore: "恢复",
  deleteForGood: "永久删除",
  purgeWarning: "{name} 及其所有相关内容将被永久删除。",
  purged: "已永久删除。",
  restored: "#{number} 已恢复。",
  commentRestored: "评论已恢复。",
  undo: "撤销",
  itemDeleted: "#{number} 已删除。",
  commentDeleted: "评论已删除。",
  "issue.not-restorable": "无法恢复：其依赖的内容已不存在。",
};
