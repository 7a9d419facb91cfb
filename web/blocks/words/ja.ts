import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  blockedUsers: "ブロックしたユーザー",
  blockUser: "ユーザーをブロック",
  note: "メモ",
  block: "ブロック",
  unblock: "ブロックを解除",
  noBlocks: "ブロックした人はいません",
  userBlocked: "{name} をブロックしました。",
  userUnblocked: "{name} のブロックを解除しました。",
  userName: "ユーザー名",
  noSuchAccount: "そのアカウントはありません。",
  ownHint:
    "あなたをフォローしたり、あなたのものにスター、ウォッチ、フォーク、コメントをしたりできなくなります。今あるものは取り消されます。",
  ownNoteHint: "あなただけに表示されます。",
  blockThisUser: "{name} をブロック",
  saveNote: "メモを保存",
  noteSaved: "メモを保存しました。",
  youBlock: "このユーザーをブロックしています。",
  changeNote: "{name} についてのメモ",

  "block.blocked": "一方がもう一方をブロックしています。",
  "block.not-allowed": "このアカウントはブロックできません。",
  "block.is-organization": "組織はブロックできません。",
  "block.not-blocked": "このアカウントはブロックされていません。",
};
