import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  notifications: "通知",
  unread: "未读",
  read: "已读",
  watching: "正在关注",
  pinned: "已置顶",
  pin: "置顶",
  markRead: "标记为已读",
  markUnread: "标记为未读",
  markAllRead: "全部标记为已读",
  noUnread: "没有未读通知。",
  noUnreadHint: "关注仓库或参与议题，即可了解那里的动态。",
  noRead: "没有已读通知。",
  watchesNothing: "您没有关注任何仓库",
  watchesNothingHint: "仓库名称旁的“关注”按钮会把它的动态带到这里。",
  "reason-watching": "您正在关注",
  "reason-participating": "您参与过",
  "reason-author": "由您创建",
  "reason-offered": "转让给您",
  "reason-assigned": "指派给您",
  "reason-review-requested": "请求您评审",
  "reason-mentioned": "提到了您",
};
