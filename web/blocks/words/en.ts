import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  blockedUsers: "Blocked users",
  blockUser: "Block a user",
  note: "Note",
  block: "Block",
  unblock: "Unblock",
  noBlocks: "No one is blocked",
  userBlocked: "{name} is blocked.",
  userUnblocked: "{name} is no longer blocked.",
  userName: "User name",
  noSuchAccount: "There is no such account.",
  ownHint:
    "They cannot follow you, and cannot star, watch, fork or comment on your repositories. Their existing follows, stars and watches are removed.",
  ownNoteHint: "Only you can see it.",
  blockThisUser: "Block {name}",
  saveNote: "Save note",
  noteSaved: "The note was saved.",
  youBlock: "You block this user.",
  changeNote: "Note about {name}",

  "block.blocked": "One of you has blocked the other.",
  "block.not-allowed": "This account cannot be blocked.",
  "block.is-organization": "Organizations cannot be blocked.",
  "block.not-blocked": "This account is not blocked.",
} as const satisfies Messages;
