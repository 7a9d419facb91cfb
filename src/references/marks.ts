import { type MarkedHtml, type SafeHtml, trustHtml } from "../markup/safe-html.ts";
import { inText } from "./grammar.ts";

/**
 * References are found when a text is rendered, and resolved when someone reads it: the rendering is cached once for
 * all readers and contains marks, which reveal nothing to anyone. The marks are elements that the sanitiser lets no
 * author write, and are added after it.
 */

/** Any beyond this remain text: no document for people needs so many, and each costs a lookup. */
export const MAX_MARKS = 1_000;

export interface MarkingRules {
  /** `#12` alone is an item of the repository; in files it is a number (contract web.md 4.1). */
  readonly bareItems: boolean;
}

const TOKENS = /<[^>]*>|[^<]+/g;
/** Nothing inside these elements is a reference. */
const OPAQUE = /^<(\/?)(a|code|pre|math)[\s>]/;
/** A link whose text is its own URL. */
const BARE_LINK = /<a href="(https?:\/\/[^"]*)"[^>]*>([^<]*)<\/a>/y;

/** Puts marks around the references in sanitised HTML. */
export function markReferences(html: SafeHtml, rules: MarkingRules): MarkedHtml {
  const pattern = inText();
  const parts: string[] = [];
  let opaque = 0;
  let marks = 0;
  let at = 0;
  TOKENS.lastIndex = 0;
  const tokens = new RegExp(TOKENS);
  for (let token = tokens.exec(html); token && marks < MAX_MARKS; token = tokens.exec(html)) {
    const [text] = token;
    at = tokens.lastIndex;
    if (text.startsWith("<")) {
      const link = opaque === 0 ? bareLinkAt(html, token.index) : undefined;
      if (link !== undefined) {
        parts.push(`<x-url>${link}</x-url>`);
        marks++;
        at = tokens.lastIndex = token.index + link.length;
        continue;
      }
      const tag = OPAQUE.exec(text);
      if (tag) opaque = Math.max(0, opaque + (tag[1] ? -1 : 1));
      parts.push(text);
    } else if (opaque > 0) parts.push(text);
    else
      parts.push(
        text.replace(pattern, (word) => {
          if (marks >= MAX_MARKS || (!rules.bareItems && /^[#!]/.test(word))) return word;
          marks++;
          return `<x-ref>${word}</x-ref>`;
        }),
      );
  }
  if (marks === 0) return html;
  return (parts.join("") + html.slice(at)) as MarkedHtml;
}

function bareLinkAt(html: string, index: number): string | undefined {
  if (!html.startsWith("<a href=", index)) return undefined;
  const pattern = new RegExp(BARE_LINK);
  pattern.lastIndex = index;
  const [whole, href, text] = pattern.exec(html) ?? [];
  return href !== undefined && text !== undefined && decoded(href) === decoded(text) ? whole : undefined;
}

/** A URL in the form a renderer displays, with letters and spaces unescaped. */
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

const REL = "nofollow ugc noopener noreferrer";
const URLS = /https?:\/\/[^\s<>"'`]{1,2000}/g;
/** Anything beyond this length is only text: this runs while a page waits, and takes up to 20 ms. */
const MAX_MARKED = 16 * 1024;
const TRAILING = new Set([...".,;:!?)]"]);

/** Converts text without markup, such as a commit message, to HTML with links for URLs and marks for references. */
export function markText(whole: string): MarkedHtml {
  const text = whole.slice(0, MAX_MARKED);
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(URLS)) {
    let [url] = match;
    while (TRAILING.has(url.at(-1) ?? "")) url = url.slice(0, -1);
    if (!URL.canParse(url)) continue;
    const shown = Bun.escapeHTML(url);
    parts.push(Bun.escapeHTML(text.slice(at, match.index)), `<a href="${shown}" rel="${REL}">${shown}</a>`);
    at = match.index + url.length;
  }
  parts.push(Bun.escapeHTML(text.slice(at)));
  const marked = markReferences(trustHtml(parts.join("")), { bareItems: true });
  return (marked + Bun.escapeHTML(whole.slice(MAX_MARKED))) as MarkedHtml;
}

/** A mark in marked HTML: the word, or the URL of the link inside it. */
export interface Mark {
  readonly kind: "word" | "address";
  readonly text: string;
}

const MARKS = /<x-(ref|url)>(.*?)<\/x-\1>/gs;

/** The distinct marks in some HTML. */
export function marksIn(html: MarkedHtml): Mark[] {
  if (!html.includes("<x-")) return [];
  const found = new Map<string, Mark>();
  for (const [, element, inner = ""] of html.matchAll(MARKS)) {
    const kind = element === "ref" ? "word" : "address";
    const text = kind === "word" ? inner : addressOf(inner);
    found.set(`${kind} ${text}`, { kind, text });
  }
  return [...found.values()];
}

/**
 * Replaces every mark with its form for one reader.
 * @param shown HTML for a word, or the short text in place of a URL; undefined: as written
 */
export function withoutMarks(html: MarkedHtml, shown: (mark: Mark) => SafeHtml | undefined): SafeHtml {
  if (!html.includes("<x-")) return trustHtml(html);
  return trustHtml(
    html.replace(MARKS, (_all, element: string, inner: string) => {
      if (element === "ref") return shown({ kind: "word", text: inner }) ?? inner;
      const short = shown({ kind: "address", text: addressOf(inner) });
      return short === undefined ? inner : inner.replace(/>[^<]*<\/a>$/, () => `>${short}</a>`);
    }),
  );
}

/** The target of a link. */
export const addressOf = (link: string) => (/^<a href="([^"]*)"/.exec(link)?.[1] ?? "").replaceAll("&amp;", "&");
