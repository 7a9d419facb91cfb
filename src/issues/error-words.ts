import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about issues and what is said under them. */
export const issueErrorWords: ErrorWords = {
  "comment.item-locked": "You cannot comment on a locked issue.",
  "comment.not-yours": "",
  "comment.has-no-text": "",
  "comment.changed": "the comment is already changed",
  "attachment.missing": ({ id }) => `attachment does not exist [id: ${id}, uuid: ]`,
  "attachment.of-other-repository": "no such attachment in repo",
  "attachment.of-other-issue": "no such attachment in issue",
  "attachment.of-other-comment": "no such attachment in comment",
  "attachment.not-your-issue": "user should have permission to write issue",
  "attachment.not-your-comment": "user should have permission to edit comment",
  "attachment.not-yours": "user should have permission to delete attachment",
  "attachment.not-usable": "attachment cannot be used here",
  "attachment.too-large": ({ maxBytes }) => `attachment exceeds limit ${maxBytes}`,
  "attachment.too-many-unused": "too many files were uploaded and not used",
  "attachment.forbidden-type": "This file cannot be uploaded or modified due to a forbidden file extension or type.",
  "reaction.not-allowed": ({ content }) => `'${content}' is not an allowed reaction`,
  "reaction.item-locked": "no permission to change reaction",
};
