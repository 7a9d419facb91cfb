import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  topics: "主题",
  field: "此仓库的主题",
  hint: "用于查找该仓库的词，以逗号或空格分隔：最多 25 个，只能包含小写字母、数字、点和连字符。",
  save: "保存主题",
  saved: "主题已保存。",
  "topics.too-many": "最多只能有 25 个主题。",
  "topics.bad-names": "这些不能作为主题：{names}",
  "topics.bad-name": "这不能作为主题：{name}",
  "topics.full": "最多只能有 25 个主题。",
};
