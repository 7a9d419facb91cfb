import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import type { NewCodeComment } from "./comments.ts";

/** A comment on a line, as sent in requests. */
export const NewCommentFields = {
  path: maybeText("The file it is about."),
  body: maybeText("The text."),
  new_position: Type.Optional(Type.Integer({ description: "Number of the line in the new file." })),
  old_position: Type.Optional(Type.Integer({ description: "Number of the line in the old file; takes precedence." })),
};

/** Lines of the old side are negative. */
export function lineOf(given: {
  path?: string;
  body?: string;
  new_position?: number;
  old_position?: number;
}): NewCodeComment {
  const { body = "", new_position = 0, old_position = 0, path = "" } = given;
  return { path, body, startLine: 0, line: old_position > 0 ? -old_position : Math.max(0, new_position) };
}
