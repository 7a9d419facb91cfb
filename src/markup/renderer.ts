/** Markdown to safe HTML: the module that contains markdown-it and the sanitiser. Load it with `import()`. */
import createMarkdownIt, { type MarkdownIt } from "markdown-it";
import definitionLists from "markdown-it-deflist";
import { full as emoji } from "markdown-it-emoji";
import footnote from "markdown-it-footnote";
import { markReferences } from "../references/marks.ts";
import { alerts } from "./alerts.ts";
import { contentsOf } from "./contents.ts";
import { namedEmoji } from "./emoji.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { harmlessLinks } from "./harmless-links.ts";
import { headingAttributes } from "./heading-attributes.ts";
import type { LinkBase } from "./links.ts";
import { math } from "./math-rules.ts";
import {
  deletions,
  headingIds,
  linkedImages,
  plainNames,
  tableAlignment,
  taskLists,
  wholeShortcodes,
} from "./rules.ts";
import { asWritten, MAX_SOURCE, type MarkedHtml, type SafeHtml } from "./safe-html.ts";
import { sanitise } from "./sanitise.ts";
import { swatches } from "./swatches.ts";
import { TaskPositions } from "./task-positions.ts";
import { wikiLinks } from "./wiki-links.ts";

export interface MarkdownContext {
  readonly links: LinkBase;
  /** Whether a newline is a line break: in comments and descriptions, not in files. */
  readonly hardBreaks?: boolean;
  /** Distinguishes footnotes from those of other texts on the same page: the comment's id. */
  readonly idSuffix?: string;
}

/** Highlights the code of a fence: escaped HTML, or an empty string for an unknown language. */
export type Colour = (code: string, language: string) => string;

/**
 * Features that need libraries the main thread does not load; without them code is plain and formulas stay as written.
 */
export interface Extras {
  readonly colour?: Colour;
  /** Renders the formulas in sanitised HTML. */
  readonly formulas?: (html: SafeHtml) => SafeHtml;
}

/** Maximum size of rendered text in a page (8 MiB shown at most, times three; web.md section 4.2). */
const LARGEST_OUTPUT = 24 * 1024 * 1024;
/** Footnote markers in a text that may contain any: the plugin takes quadratic time in them. */
const MAX_FOOTNOTE_MARKS = 1_000;

interface ParserOptions {
  readonly colour: Colour;
  readonly hasFootnotes: boolean;
  readonly tasks: TaskPositions;
}

function parser(context: MarkdownContext, { colour, hasFootnotes, tasks }: ParserOptions): MarkdownIt {
  const md = new createMarkdownIt({
    html: true,
    linkify: true,
    breaks: context.hardBreaks ?? false,
    highlight: (code, info) => colour(code, /^[^\s,:{]+/.exec(info)?.[0]?.toLowerCase() ?? ""),
  });
  md.use(emoji, { shortcuts: {} });
  md.use(definitionLists);
  md.use(taskLists, tasks);
  if (context.links.kind === "repo" && context.links.below === "wiki") md.use(wikiLinks);
  if (hasFootnotes) md.use(footnote);
  const suffix = context.idSuffix ? `-${context.idSuffix}` : "";
  const name = (id: number) => `user-content-${id + 1}${suffix}`;
  md.renderer.rules["footnote_ref"] = (tokens, at) => {
    const { id, subId } = footnoteOf(tokens[at]?.meta);
    const again = subId > 0 ? `:${subId}` : "";
    return `<sup class="footnote-ref"><a href="#fn:${name(id)}" id="fnref:${name(id)}${again}">${id + 1}</a></sup>`;
  };
  md.renderer.rules["footnote_block_open"] = () =>
    '<section class="footnotes" aria-label="Footnotes"><ol class="footnotes-list">\n';
  md.renderer.rules["footnote_open"] = (tokens, at) =>
    `<li id="fn:${name(footnoteOf(tokens[at]?.meta).id)}" class="footnote-item">`;
  md.renderer.rules["footnote_anchor"] = (tokens, at) => {
    const { id, subId } = footnoteOf(tokens[at]?.meta);
    const again = subId > 0 ? `:${subId}` : "";
    return ` <a href="#fnref:${name(id)}${again}" class="footnote-backref" aria-label="Back to the text">↩</a>`;
  };
  for (const rule of [
    math,
    harmlessLinks,
    wholeShortcodes,
    namedEmoji,
    alerts,
    headingAttributes,
    headingIds,
    tableAlignment,
    linkedImages,
    plainNames,
    deletions,
  ])
    rule(md);
  return md;
}

function footnoteOf(meta: unknown): { id: number; subId: number } {
  const { id, subId } = (meta ?? {}) as { id?: unknown; subId?: unknown };
  return { id: typeof id === "number" ? id : 0, subId: typeof subId === "number" ? subId : 0 };
}

function occursMoreThan(text: string, mark: string, times: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length))
    if (++count > times) return true;
  return false;
}

/**
 * Renders a Markdown text: CommonMark with tables, strikethrough, footnotes, definition and task lists, alerts, emoji,
 * formulas, highlighting and bare links; links are resolved against `context.links`, the result is sanitised, and
 * references in texts of a repository are marked last. Never throws: anything that cannot be rendered is shown as
 * written.
 */
export function render(source: string, context: MarkdownContext, extras: Extras = {}): MarkedHtml {
  if (source.length > MAX_SOURCE) return asWritten(source);
  const { colour = () => "", formulas = (html: SafeHtml) => html } = extras;
  try {
    const text = source.replace(/\r\n?/g, "\n");
    const { html, body, hasContents, language } = splitFrontMatter(text);
    const hasFootnotes = !occursMoreThan(body, "[^", MAX_FOOTNOTE_MARKS);
    const tasks = new TaskPositions(body, Buffer.byteLength(text) - Buffer.byteLength(body));
    const md = parser(context, { colour, hasFootnotes, tasks });
    const env = {};
    const tokens = md.parse(body, env);
    const contents = hasContents ? contentsOf(md, tokens) : "";
    const written = contents + md.renderer.render(tokens, md.options, env);
    const rendered = html + (language === undefined ? written : `<div lang="${language}">${written}</div>`);
    if (rendered.length <= LARGEST_OUTPUT) {
      const safe = swatches(formulas(sanitise(rendered, context.links, tasks)));
      if (context.links.kind === "none") return safe;
      return markReferences(safe, { bareItems: context.links.kind === "repo" });
    }
  } catch {
    // A renderer bug triggered by hostile text must not break the page (security rule G11).
  }
  return asWritten(source);
}
