import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  blockedUsers: "已屏蔽的用户",
  blockUser: "屏蔽用户",
  note: "备注",
  block: "屏蔽",
  unblock: "取消屏蔽",
  noBlocks: "没有人被屏蔽",
  userBlocked: "{name} 已被屏蔽。",
  userUnblocked: "{name} 已取消屏蔽。",
  userName: "用户名",
  noSuchAccount: "没有这个账户。",
  ownHint: "他们不能关注您，也不能对您的内容加星标、关注、派生或评论。他们目前拥有的这些将被移除。",
  ownNoteHint: "只有您能看到。",
  blockThisUser: "屏蔽 {name}",
  saveNote: "保存备注",
  noteSaved: "备注已保存。",
  youBlock: "您已屏蔽此用户。",
  changeNote: "关于 {name} 的备注",

  "block.blocked": "其中一方屏蔽了另一方。",
  "block.not-allowed": "不能屏蔽此账户。",
  "block.is-organization": "不能屏蔽组织。",
  "block.not-blocked": "此账户未被屏蔽。",
};
