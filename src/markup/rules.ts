/** Small rules on markdown-it's tokens: task lists, heading ids, column alignment, linked images. */
import type { MarkdownIt, StateCore } from "markdown-it";
import { prefixedId } from "./links.ts";
import { Slugs } from "./slug.ts";
import type { TaskPositions } from "./task-positions.ts";

type Token = StateCore["tokens"][number];

/**
 * `- [ ]` and `- [x]` become checkboxes, disabled until a page lets someone tick them; the position identifies each.
 */
export function taskLists(md: MarkdownIt, positions: TaskPositions): void {
  md.core.ruler.after("inline", "tasks", (state: StateCore) => {
    const { tokens } = state;
    for (let at = 2; at < tokens.length; at++) {
      const inline = tokens[at]!;
      const item = tokens[at - 2]!;
      if (inline.type !== "inline" || tokens[at - 1]!.type !== "paragraph_open" || item.type !== "list_item_open")
        continue;
      const text = inline.children?.[0];
      const mark = text?.type === "text" ? /^\[([ xX])\][ \t\u00a0]/.exec(text.content) : null;
      if (!text || !mark) continue;
      text.content = text.content.slice(mark[0].length);
      const box = new state.Token("html_inline", "", 0);
      const described = mark[1] === " " ? 'aria-label="to do"' : 'checked aria-label="done"';
      const position = positions.add(inline.map?.[0] ?? 0);
      box.content = `<input type="checkbox" disabled ${described} data-source-position="${position}"> `;
      inline.children?.unshift(box);
      item.attrJoin("class", "task");
    }
  });
}

/** The text of a heading, without its markup. */
export function plainText(children: readonly Token[] | null): string {
  let text = "";
  for (const child of children ?? [])
    if (child.type === "text" || child.type === "code_inline" || child.type === "emoji") text += child.content;
    else if (child.type === "softbreak") text += " ";
    else if (child.type === "image") text += child.content;
  return text;
}

/** Adds ids `user-content-<slug>`, and a link next to each heading. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.push("heading-ids", (state: StateCore) => {
    const slugs = new Slugs();
    const { tokens } = state;
    for (let at = 0; at < tokens.length; at++) {
      if (tokens[at]!.type !== "heading_open") continue;
      const inline = tokens[at + 1]!;
      const given = tokens[at]!.attrGet("id");
      const id = given === null ? `user-content-${slugs.next(plainText(inline.children))}` : prefixedId(String(given));
      tokens[at]!.attrSet("id", id);
      const link = new state.Token("html_inline", "", 0);
      link.content = `<a class="anchor" href="#${md.utils.escapeHtml(id)}" aria-label="Link to this section"></a>`;
      inline.children?.push(link);
    }
  });
}

/** Alignment as a class: inline styles are blocked by the pages' content security policy. */
export function tableAlignment(md: MarkdownIt): void {
  md.core.ruler.push("table-alignment", (state: StateCore) => {
    for (const token of state.tokens) {
      if (token.type !== "th_open" && token.type !== "td_open") continue;
      const align = /text-align:(left|center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
      if (!align) continue;
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
      token.attrSet("class", `align-${align}`);
    }
  });
}

/** An image outside any link links to its own file. */
export function linkedImages(md: MarkdownIt): void {
  md.core.ruler.push("linked-images", (state: StateCore) => {
    for (const block of state.tokens) {
      if (block.type !== "inline" || !block.children?.some((child) => child.type === "image")) continue;
      const children: Token[] = [];
      let linkDepth = 0;
      for (const child of block.children) {
        if (child.type === "link_open") linkDepth++;
        else if (child.type === "link_close") linkDepth--;
        else if (child.type === "html_inline" && /^<a[\s>]/i.test(child.content)) linkDepth++;
        else if (child.type === "html_inline" && /^<\/a\s*>/i.test(child.content)) linkDepth--;
        if (child.type !== "image" || linkDepth > 0) {
          children.push(child);
          continue;
        }
        const open = new state.Token("link_open", "a", 1);
        open.attrSet("href", String(child.attrGet("src") ?? ""));
        children.push(open, child, new state.Token("link_close", "a", -1));
      }
      block.children = children;
    }
  });
}

/** Only URLs with a scheme become links (web.md 4.2): `www.example.org` and `file.md` are text. */
export function plainNames(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: false });
}

/** `~~gone~~` marks deleted text, not incorrect text. */
export function deletions(md: MarkdownIt): void {
  md.renderer.rules["s_open"] = () => "<del>";
  md.renderer.rules["s_close"] = () => "</del>";
}

/** `std::thread::x` and `:100:200` are text: a shortcode next to a word or a colon is not one. */
export function wholeShortcodes(md: MarkdownIt): void {
  md.core.ruler.push("whole-shortcodes", (state: StateCore) => {
    for (const block of state.tokens) {
      const children = block.children ?? [];
      for (let at = 0; at < children.length; at++) {
        const token = children[at]!;
        if (token.type !== "emoji") continue;
        const before = children[at - 1]?.content ?? "";
        const after = children[at + 1]?.content ?? "";
        const touches =
          (children[at - 1]?.type === "text" && /[\w:]$/.test(before)) ||
          (children[at + 1]?.type === "text" && /^[\w:]/.test(after));
        if (!touches) continue;
        token.type = "text";
        token.content = `:${token.markup}:`;
      }
    }
  });
}
