import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../../http/fields.ts";

const fields = {
  Text: maybeText("The text to render."),
  Mode: maybeText("What the text is: markdown (the default), gfm, comment, wiki or file."),
  Context: maybeText(
    "Where it stands, for relative links: the path of a repository's page, such as /ada/engine/src/branch/main/docs.",
  ),
  Wiki: maybeYesNo("The same as the mode wiki."),
};

export const MarkdownBody = Type.Object(fields, {
  $id: "MarkdownOption",
  description: "A text to render; the names may be written in any letter case.",
});

export const MarkupBody = Type.Object(
  { ...fields, FilePath: maybeText("Name of the file it is, which tells how to render it in the mode file.") },
  { $id: "MarkupOption", description: "A text of a file to render; the names may be written in any letter case." },
);

export const RenderedHtml = Type.String({ description: "Safe HTML." });
