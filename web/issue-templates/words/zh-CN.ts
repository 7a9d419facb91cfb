import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  newIssue: "新建议题",
  getStarted: "开始",
  blank: "空白议题",
  blankAbout: "从空白开始。",
  open: "打开",
  choose: "请选择…",
  "problem-required": "此项必填。",
  "problem-number": "这不是数字。",
  "problem-pattern": "格式不符合要求。",
};
