import type { MarkdownIt, StateCore } from "markdown-it";
import shortcodes from "markdown-it-emoji/lib/data/full.mjs";

type Token = StateCore["tokens"][number];

/** An emoji as people see it, including joined sequences and skin tones. */
const PICTURE = /\p{RGI_Emoji}/v;
const PICTURES = new RegExp(PICTURE, "gv");
/** Skin tones, and the selector for the coloured form of a character, which is often omitted. */
const VARIATION = /[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

let names: ReadonlyMap<string, string> | undefined;

/** The name of an emoji: the first of its shortcodes that is a word. */
function nameOf(picture: string): string | undefined {
  names ??= new Map(
    Object.entries(shortcodes)
      .filter(([name]) => /[a-z]/.test(name))
      .reverse()
      .map(([name, shown]) => [shown.replace(VARIATION, ""), name.replaceAll("_", " ")]),
  );
  return names.get(picture.replace(VARIATION, ""));
}

/** Gives emoji an accessible name, whether typed as a shortcode or directly (contract web.md 4.2). */
export function namedEmoji(md: MarkdownIt): void {
  md.renderer.rules["emoji"] = (tokens, at) => {
    const { content = "", markup = "" } = tokens[at] ?? {};
    const name = markup.replaceAll("_", " ") || nameOf(content);
    return name === undefined
      ? content
      : `<span role="img" aria-label="${md.utils.escapeHtml(name)}">${content}</span>`;
  };
  md.core.ruler.push("typed-emoji", (state: StateCore) => {
    for (const block of state.tokens)
      if (block.children?.some(hasPicture))
        block.children = block.children.flatMap((child) => (hasPicture(child) ? apart(child, state) : [child]));
  });
}

function hasPicture({ type, content }: Token): boolean {
  return type === "text" && PICTURE.test(content);
}

/** Splits text into tokens of plain text and of emoji. */
function apart(text: Token, state: StateCore): Token[] {
  const parts: Token[] = [];
  const add = (type: "text" | "emoji", content: string) => {
    if (content === "") return;
    const token = new state.Token(type, "", 0);
    token.content = content;
    token.level = text.level;
    parts.push(token);
  };
  let from = 0;
  for (const found of text.content.matchAll(PICTURES)) {
    const isNamed = nameOf(found[0]) !== undefined;
    if (!isNamed) continue;
    add("text", text.content.slice(from, found.index));
    add("emoji", found[0]);
    from = found.index + found[0].length;
  }
  add("text", text.content.slice(from));
  return parts;
}
