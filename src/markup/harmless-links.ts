import type { MarkdownIt, StateCore } from "markdown-it";

type Token = StateCore["tokens"][number];

/**
 * `[text](javascript:x)` becomes `text`, and an image at such an address its description: the author's text stays, the
 * harmful target goes (contract web.md 4.16). Without this rule both would be shown as typed.
 */
export function harmlessLinks(md: MarkdownIt): void {
  const isHarmless = md.validateLink.bind(md);
  md.validateLink = () => true;
  md.core.ruler.after("inline", "harmless-links", (state: StateCore) => {
    for (const block of state.tokens)
      if (block.children) block.children = withoutHarm(block.children, isHarmless, state);
  });
}

function withoutHarm(children: readonly Token[], isHarmless: (url: string) => boolean, state: StateCore): Token[] {
  const kept: Token[] = [];
  // Links don't nest, and HTML links are not tokens of this kind.
  let isDropping = false;
  for (const child of children) {
    if (child.type === "link_open") {
      isDropping = !isHarmless(String(child.attrGet("href") ?? ""));
      if (isDropping) continue;
    }
    if (child.type === "link_close" && isDropping) {
      isDropping = false;
      continue;
    }
    if (child.type === "image" && !isHarmless(String(child.attrGet("src") ?? ""))) {
      const text = new state.Token("text", "", 0);
      text.content = child.content;
      kept.push(text);
    } else kept.push(child);
  }
  return kept;
}
