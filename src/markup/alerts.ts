import type { MarkdownIt, StateCore } from "markdown-it";

const WORDS = ["Note", "Tip", "Important", "Warning", "Caution"] as const;
const MARK =
  /^[ \t]*(?:\\?\[!(note|tip|important|warning|caution)\\?\]|\*\*(note|tip|important|warning|caution)\*\*)[ \t]*(?:\n|$)/i;

/**
 * Quotes that start with `[!NOTE]` become alerts. The title is one of our own five words, never text of the author. As
 * on GitHub, not inside other elements.
 */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.after("block", "alerts", (state: StateCore) => {
    const { tokens } = state;
    for (let at = 0; at < tokens.length; at++) {
      const open = tokens[at]!;
      const inline = tokens[at + 2];
      if (open.type !== "blockquote_open" || open.level !== 0 || inline?.type !== "inline") continue;
      const mark = MARK.exec(inline.content);
      if (!mark) continue;
      const kind = (mark[1] ?? mark[2] ?? "").toLowerCase();
      open.attrSet("class", `alert alert-${kind}`);
      inline.content = inline.content.slice(mark[0].length);
      const title = new state.Token("html_block", "", 0);
      title.content = `<p class="alert-title"><strong>${WORDS.find((word) => word.toLowerCase() === kind)}</strong></p>\n`;
      // Removes the paragraph if it contained only the marker.
      tokens.splice(at + 1, inline.content.trim() === "" ? 3 : 0, title);
    }
  });
}
