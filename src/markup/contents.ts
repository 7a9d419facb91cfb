import type { MarkdownIt } from "markdown-it";
import { plainText } from "./rules.ts";

type Token = ReturnType<MarkdownIt["parse"]>[number];

/** The headings of a document as a list of links, for front matter that requests one. */
export function contentsOf(md: MarkdownIt, tokens: readonly Token[]): string {
  const items = tokens.flatMap((token, at) => {
    if (token.type !== "heading_open") return [];
    const text = md.utils.escapeHtml(plainText(tokens[at + 1]?.children ?? null));
    return [{ depth: Number(token.tag.slice(1)), link: `<a href="#${String(token.attrGet("id"))}">${text}</a>` }];
  });
  const top = Math.min(...items.map(({ depth }) => depth));
  const parts: string[] = [];
  let depth = top - 1;
  for (const item of items) {
    // A skipped level gets no item.
    const wanted = Math.min(item.depth, depth + 1);
    if (wanted > depth) parts.push("<ul>");
    else parts.push("</li>", "</ul></li>".repeat(depth - wanted));
    parts.push(`<li>${item.link}`);
    depth = wanted;
  }
  if (items.length === 0) return "";
  return `<details><summary>Table of contents</summary>${parts.join("")}${"</li></ul>".repeat(depth - top + 1)}</details>\n`;
}
