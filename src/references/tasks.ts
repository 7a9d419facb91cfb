/** Ticks checkboxes of task lists in Markdown: a module that contains a Markdown parser. Load it with `import()`. */
import createMarkdownIt from "markdown-it";

const parser = createMarkdownIt({ html: true });
/**
 * The text with one of its task list checkboxes ticked or cleared.
 * @param at index of the checkbox, counted from 0 in display order
 * @returns undefined if there is no such checkbox
 */
export function withTask(source: string, at: number, isDone: boolean): string | undefined {
  const lines = source.split("\n");
  const tokens = parser.parse(source, {});
  let box = 0;
  for (const [place, token] of tokens.entries()) {
    if (token.type !== "inline" || tokens[place - 1]?.type !== "paragraph_open") continue;
    if (tokens[place - 2]?.type !== "list_item_open") continue;
    const text = token.children?.[0];
    if (text?.type !== "text" || !/^\[[ xX]\][ \t\u00a0]/.test(text.content)) continue;
    if (box++ !== at) continue;
    const line = token.map?.[0];
    const written = line === undefined ? "" : (lines[line] ?? "");
    // Only list and quote markers precede it; none of them looks like a checkbox.
    const start = written.search(/\[[ xX]\][ \t\u00a0]/);
    if (start < 0 || line === undefined) return undefined;
    lines[line] = `${written.slice(0, start)}[${isDone ? "x" : " "}]${written.slice(start + 3)}`;
    return lines.join("\n");
  }
  return undefined;
}
