import { readMarkdown, type TextReferences } from "./reader.ts";

/** What a long Markdown text refers to. */
export function run({ source, rootUrl }: { readonly source: string; readonly rootUrl: string }): TextReferences {
  return readMarkdown(source, rootUrl);
}
