import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  blockedUsers: "Blocked users",
  blockUser: "Block a user",
  note: "Note",
  block: "Block",
  unblock: "Unblock",
  noBlocks: "No one is blocked",
  userBlocked: "{name} is blocked.",
  userUnblocked: "{name} is not blocked any more.",
  userName: "User name",
  noSuchAccount: "There is no such account.",
  ownHint:
    "They cannot follow you, and cannot star, watch, fork or comment on what is yours. What they have of it now goes.",
  ownNoteHint: "Only you see it.",
  blockThisUser: "Block {name}",
  saveNote: "Save the note",
  noteSaved: "The note was saved.",
  youBlock: "You block this user.",
  changeNote: "Note about {name}",

  "block.blocked": "One of the two blocks the other.",
  "block.not-allowed": "This account cannot be blocked.",
  "block.is-organization": "Organizations cannot be blocked.",
  "block.not-blocked": "This account is not blocked.",
} as const satisfies Messages;
