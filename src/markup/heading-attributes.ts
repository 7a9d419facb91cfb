import type { MarkdownIt, StateCore } from "markdown-it";

const ID = /(?<![ \t])[ \t]+\{#([A-Za-z][\w:.-]{0,100})\}[ \t]*$/;

/** `# Title {#name}` sets the id of a heading (contract web.md 4.2). */
export function headingAttributes(md: MarkdownIt): void {
  md.core.ruler.after("block", "heading-attributes", (state: StateCore) => {
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== "heading_open") continue;
      const inline = state.tokens[at + 1];
      const found = inline ? ID.exec(inline.content) : null;
      if (!inline || !found?.[1]) continue;
      inline.content = inline.content.slice(0, found.index);
      token.attrSet("id", found[1]);
    }
  });
}
