import type { MarkdownIt, StateCore } from "markdown-it";

type Token = StateCore["tokens"][number];

/**
 * `[text](javascript:x)` is `text`, and a picture at such an address is its description: what an author wrote to be read
 * stays, what it would have done goes (contract web.md 4.16). Without the rule both would be shown as they were typed.
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
  // Links are not nested, but those of HTML are no tokens of this kind.
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
