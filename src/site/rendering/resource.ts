import { Type } from "@sinclair/typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));

const fields = {
  Text: text("The text to render."),
  Mode: text("What the text is: markdown (the default), gfm, comment, wiki or file."),
  Context: text(
    "Where it stands, for relative links: the path of a repository's page, such as /ada/engine/src/branch/main/docs.",
  ),
  Wiki: Type.Optional(Type.Boolean({ description: "The same as the mode wiki." })),
};

export const MarkdownBody = Type.Object(fields, {
  $id: "MarkdownOption",
  description: "A text to render; the names may be written in any letter case.",
});

export const MarkupBody = Type.Object(
  { ...fields, FilePath: text("Name of the file it is, which tells how to render it in the mode file.") },
  { $id: "MarkupOption", description: "A text of a file to render; the names may be written in any letter case." },
);

export const RenderedHtml = Type.String({ description: "Safe HTML." });
