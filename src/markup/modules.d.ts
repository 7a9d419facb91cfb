/** Plugins without type declarations. */
declare module "markdown-it-emoji" {
  import type { MarkdownIt } from "markdown-it";
  export const full: (md: MarkdownIt, options?: { shortcuts?: Record<string, string> }) => void;
}
declare module "markdown-it-emoji/lib/data/full.mjs" {
  /** Emoji by their shortcodes. */
  const names: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: the plugin's own form
  export default names;
}
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  const footnote: (md: MarkdownIt) => void;
  // biome-ignore lint/style/noDefaultExport: the plugin's own form
  export default footnote;
}
declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";

  const definitionLists: (md: MarkdownIt) => void;
  // biome-ignore lint/style/noDefaultExport: the plugin's own form
  export default definitionLists;
}
