import { readMarkdown, type TextReferences } from "./reader.ts";

/** Finds the references in a long Markdown text. */
export function run({ source, rootUrl }: { readonly source: string; readonly rootUrl: string }): TextReferences {
  return readMarkdown(source, rootUrl);
}
