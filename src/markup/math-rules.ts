import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** Longer formulas stay as written (contract web.md 4.2). */
const MAX_FORMULA = 1_000;
const DOLLAR = 0x24;
/** A formula does not follow a word, nor characters that precede a dollar in code and prices. */
const NOT_BEFORE = /[\w.[{\\]$/;
const NOT_AFTER = /^[\w\]}]/;

/**
 * Formulas: `$a$`, `` $`a`$ `` and `$$a$$` in a line, `$$` around lines, and fences of the language `math`. These rules
 * only produce code with a class; `formulas` in math.ts renders it where that module is loaded.
 */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before("escape", "math", inlineMath);
  md.block.ruler.before("fence", "math", blockMath, { alt: ["paragraph", "blockquote", "list"] });
  const code = (name: string, content: string) => `<code class="math-${name}">${md.utils.escapeHtml(content)}</code>`;
  md.renderer.rules["math_inline"] = (tokens, at) => code("inline", tokens[at]?.content ?? "");
  md.renderer.rules["math_block"] = (tokens, at) => `<pre>${code("block", tokens[at]?.content ?? "")}</pre>\n`;
  const fence = md.renderer.rules["fence"];
  md.renderer.rules["fence"] = (tokens, at, ...rest) => {
    const token = tokens[at];
    if (token && /^math(?:\s|$)/i.test(token.info.trim())) return `<pre>${code("block", token.content.trim())}</pre>\n`;
    return fence ? fence(tokens, at, ...rest) : "";
  };
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== DOLLAR) return false;
  const found = formulaAt(src, pos, state.posMax);
  if (!found) return false;
  if (!silent) state.push("math_inline", "code", 0).content = found.content;
  state.pos = found.end;
  return true;
}

/** The formula that starts at that dollar. */
function formulaAt(src: string, at: number, max: number): { content: string; end: number } | undefined {
  const [open, close] = src.startsWith("$$", at) ? ["$$", "$$"] : src.startsWith("$`", at) ? ["$`", "`$"] : ["$", "$"];
  // Backticks mark a formula in any position.
  const isPlain = open !== "$`";
  if (isPlain && NOT_BEFORE.test(src.slice(Math.max(at - 1, 0), at))) return undefined;
  const from = at + open.length;
  // A formula has a bounded length, so a line of nothing but dollars takes only linear time.
  const within = src.slice(from, Math.min(max, from + MAX_FORMULA + close.length));
  const length = closingAt(within, close);
  if (length === undefined || length === 0) return undefined;
  const end = from + length + close.length;
  const content = within.slice(0, length);
  if (content.trim() === "" || content.includes("\n")) return undefined;
  if (isPlain && NOT_AFTER.test(src.slice(end, end + 1))) return undefined;
  return { content: content.trim(), end };
}

/** The end of the formula; a dollar after a backslash is literal. */
function closingAt(text: string, close: string): number | undefined {
  for (let at = text.indexOf(close); at >= 0; at = text.indexOf(close, at + 1)) if (text[at - 1] !== "\\") return at;
  return undefined;
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0).trimEnd();
  const first = lineOf(startLine);
  if (!first.startsWith("$$") || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const opening = first.slice(2);
  if (opening.includes("$$")) {
    // All in one line with nothing after it: otherwise it is an inline formula.
    if (opening.indexOf("$$") !== opening.length - 2 || opening.length === 2) return false;
    if (!silent) add(state, opening.slice(0, -2), startLine, startLine + 1);
    return true;
  }
  const lines = [opening];
  let length = opening.length;
  for (let line = startLine + 1; line < endLine; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent) return false;
    const text = lineOf(line);
    length += text.length + 1;
    if (length > MAX_FORMULA) return false;
    if (!text.endsWith("$$")) {
      lines.push(text);
      continue;
    }
    lines.push(text.slice(0, -2));
    if (!silent) add(state, lines.join("\n"), startLine, line + 1);
    return true;
  }
  return false;
}

function add(state: StateBlock, content: string, from: number, to: number): void {
  const token = state.push("math_block", "code", 0);
  token.block = true;
  token.content = content.trim();
  token.map = [from, to];
  state.line = to;
}
