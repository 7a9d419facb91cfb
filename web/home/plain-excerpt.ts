/**
 * What the beginning of a text in Markdown says, in one line and without its marks: a feed shows twenty of them, cut in the
 * middle of whatever they were, so none is rendered.
 */
export function plainExcerpt(markdown: string): string {
  return markdown
    .split("\n")
    .map(plainLine)
    .join(" ")
    .replace(/<!--[^>]*(?:-->|$)/g, "")
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, "$1")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?: "[^"]*")?\)/g, "$1")
    .replace(/!?\[([^[\]]*)\]\([^()\s…]*(…?)$/, "$1$2")
    .replace(/`+|~~|\*\*|\b__|__\b/g, "")
    .replace(/(^|[^\w*])[*_]([^\s*_][^*_]*)[*_](?!\w)/g, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without what makes the line a heading, a quotation, an item of a list, or the edge of code. */
function plainLine(line: string): string {
  const text = line.replace(/^[\s>]*/, "");
  if (/^(?:```|~~~)/.test(text) || /^(?:[-*_] ?){3,}$/.test(text)) return "";
  return text.replace(/^(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+/, "").replace(/^\[[ xX]\]\s+/, "");
}
