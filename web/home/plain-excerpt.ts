/**
 * The beginning of a Markdown text on one line, without its formatting. A feed shows twenty of them, cut off anywhere,
 * so none is rendered.
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

/** The line without the markers of a heading, quotation, list item or code fence. */
function plainLine(line: string): string {
  const text = line.replace(/^[\s>]*/, "");
  if (/^(?:```|~~~)/.test(text) || /^(?:[-*_] ?){3,}$/.test(text)) return "";
  return text.replace(/^(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+/, "").replace(/^\[[ xX]\]\s+/, "");
}
