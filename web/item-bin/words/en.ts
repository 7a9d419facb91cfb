import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  deletedItems: "Deleted issues",
  about: {
    one: "Deleted issues, pull requests and comments can be restored for {count} day, with everything that belonged to them.",
    other:
      "Deleted issues, pull requests and comments can be restored for {count} days, with everything that belonged to them.",
  },
  isOff: "Deleted issues and comments are removed at once.",
  isEmpty: "Nothing was deleted recently",
  commentOn: "Comment on #{number} {title}",
  deletedBy: "deleted {time} by {name}",
  deletedAt: "deleted {time}",
  goesAt: "removed for good {time}",
  restore: "Restore",
  deleteForGood: "Delete for good",
  purgeWarning: "{name} and everything that belongs to it will be deleted for good.",
  purged: "It was deleted for good.",
  restored: "#{number} was restored.",
  commentRestored: "The comment was restored.",
  undo: "Undo",
  itemDeleted: "#{number} was deleted.",
  commentDeleted: "The comment was deleted.",
  "issue.not-restorable": "It cannot be restored: something it depends on no longer exists.",
} as const satisfies Messages;
