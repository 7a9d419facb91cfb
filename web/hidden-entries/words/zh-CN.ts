import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  conversations: "讨论",
  leftOut: "讨论中不显示的内容",
  hint: "评论和评审始终显示。此设置仅对您生效。",
  save: "保存",
  saved: "讨论中将不再显示您所选的内容。",
  "topic-reference": "来自工单、合并请求和提交的引用",
  "topic-label": "标签",
  "topic-milestone": "里程碑",
  "topic-assignee": "指派的人",
  "topic-title": "标题更改",
  "topic-branch": "分支更改",
  "topic-time_tracking": "时间记录",
  "topic-deadline": "截止日期",
  "topic-dependency": "依赖关系",
  "topic-lock": "锁定与解锁",
  "topic-review_request": "评审请求",
  "topic-push": "推送的提交",
  "topic-scheduled_merge": "计划的合并与合并队列",
  "topic-project": "项目",
  "topic-pin": "置顶与取消置顶",
};
