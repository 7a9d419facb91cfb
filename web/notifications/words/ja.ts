import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  notifications: "通知",
  unread: "未読",
  read: "既読",
  watching: "ウォッチ中",
  pinned: "ピン留め",
  pin: "ピン留めする",
  markRead: "既読にする",
  markUnread: "未読にする",
  markAllRead: "すべて既読にする",
  noUnread: "未読の通知はありません。",
  noUnreadHint: "リポジトリをウォッチするかイシューに参加すると、動きが届きます。",
  noRead: "既読の通知はありません。",
  watchesNothing: "ウォッチ中のリポジトリはありません",
  watchesNothingHint: "リポジトリ名の横にある「ウォッチ」を押すと、その動きがここに届きます。",
  "reason-watching": "ウォッチ中",
  "reason-participating": "参加済み",
  "reason-author": "自分が作成",
  "reason-offered": "譲渡の申し出",
  "reason-assigned": "自分が担当",
  "reason-review-requested": "レビュー依頼",
  "reason-mentioned": "メンションあり",
};
