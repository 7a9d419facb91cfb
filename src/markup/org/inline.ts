/** Org text within a paragraph: emphasis, links, footnotes, formulas. Every pattern looks ahead a bounded distance. */

const EMPHASIS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  "*": ["<strong>", "</strong>"],
  "/": ["<em>", "</em>"],
  _: ["<u>", "</u>"],
  "+": ["<del>", "</del>"],
  "=": ["<code>", "</code>"],
  "~": ["<code>", "</code>"],
};
const BEFORE = /[\s\-("'{\u00a0]$/;
const AFTER = /^(?:[\s\-.,;:!?'")}[\]\\]|$)/;
const MAX_EMPHASIS = 500;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;

const LINK = /^\[\[([^[\]\n]{1,2000})\](?:\[([^[\]\n]{1,2000})\])?\]/;
const FOOTNOTE = /^\[fn:([\w-]{1,100})\]/;
const ADDRESS = /^(?:https?|ftp):\/\/[^\s<>[\]"]{1,2000}/;
const FORMULA = /^(?:\\\(([^\n]{1,1000}?)\\\)|\$([^\s$][^\n$]{0,1000})\$(?![\w]))/;
const TIMESTAMP = /^[<[]\d{4}-\d\d-\d\d[^<>[\]\n]{0,60}[>\]]/;

export interface OrgNotes {
  /** The number of a footnote, by name, in the order of first reference. */
  numberOf(name: string): number;
}

export function orgInline(text: string, notes: OrgNotes): string {
  const parts: string[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; at++) {
    const found = INLINE.has(text[at] ?? "") ? objectAt(text, at, notes) : undefined;
    if (!found) continue;
    parts.push(Bun.escapeHTML(text.slice(plainFrom, at)), found.html);
    at += found.length - 1;
    plainFrom = at + 1;
  }
  parts.push(Bun.escapeHTML(text.slice(plainFrom)));
  return parts.join("").replaceAll("\\\\\n", "<br>\n");
}

/** Characters that can start an object. */
const INLINE = new Set([..."*/_+=~[<hf\\$"]);

function objectAt(text: string, at: number, notes: OrgNotes): { html: string; length: number } | undefined {
  const character = text[at] ?? "";
  if (character === "[") {
    const ahead = text.slice(at, at + 4_100);
    const link = LINK.exec(ahead);
    if (link?.[1]) return { html: linkHtml(link[1], link[2], notes), length: link[0].length };
    const note = FOOTNOTE.exec(ahead);
    if (note?.[1]) {
      const number = notes.numberOf(note[1]);
      const name = `user-content-${number}`;
      const html = `<sup class="footnote-ref"><a href="#fn:${name}" id="fnref:${name}">${number}</a></sup>`;
      return { html, length: note[0].length };
    }
  }
  if (character === "[" || character === "<")
    return matched(TIMESTAMP, text, at, (all) => `<code>${Bun.escapeHTML(all)}</code>`);
  if (character === "h" || character === "f") {
    if (at > 0 && /\w/.test(text[at - 1] ?? "")) return undefined;
    const address = withoutPunctuation(ADDRESS.exec(text.slice(at, at + 2_010))?.[0] ?? "");
    return address === "" ? undefined : { html: linkHtml(address, undefined, notes), length: address.length };
  }
  if (character === "$" && at > 0 && /[\w$]/.test(text[at - 1] ?? "")) return undefined;
  if (character === "\\" || character === "$")
    return matched(
      FORMULA,
      text,
      at,
      (_all, inner) => `<code class="math-inline">${Bun.escapeHTML(inner.trim())}</code>`,
    );
  return emphasisAt(text, at, notes);
}

/** Punctuation at the end of a URL belongs to the sentence. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && ".,;:!?)".includes(address[end - 1] ?? "")) end--;
  return address.slice(0, end);
}

function matched(
  pattern: RegExp,
  text: string,
  at: number,
  html: (all: string, inner: string) => string,
): { html: string; length: number } | undefined {
  const found = pattern.exec(text.slice(at, at + 1_010));
  return found ? { html: html(found[0], found[1] ?? found[2] ?? ""), length: found[0].length } : undefined;
}

function emphasisAt(text: string, at: number, notes: OrgNotes): { html: string; length: number } | undefined {
  const mark = text[at] ?? "";
  const tags = EMPHASIS[mark];
  if (!tags || (at > 0 && !BEFORE.test(text[at - 1] ?? "")) || /\s/.test(text[at + 1] ?? " ")) return undefined;
  const limit = Math.min(text.length, at + MAX_EMPHASIS);
  for (let end = text.indexOf(mark, at + 2); end >= 0 && end < limit; end = text.indexOf(mark, end + 1)) {
    if (/\s/.test(text[end - 1] ?? "") || !AFTER.test(text.slice(end + 1, end + 2))) continue;
    const inner = text.slice(at + 1, end);
    const html = mark === "=" || mark === "~" ? Bun.escapeHTML(inner) : orgInline(inner, notes);
    return { html: `${tags[0]}${html}${tags[1]}`, length: end + 1 - at };
  }
  return undefined;
}

function linkHtml(given: string, description: string | undefined, notes: OrgNotes): string {
  const [target = ""] = given.replace(/^file:/, "").split("::", 1);
  const href = Bun.escapeHTML(/^#/.test(given) ? given : target);
  if (description === undefined && IMAGE.test(target)) return `<a href="${href}"><img src="${href}" alt=""></a>`;
  return `<a href="${href}">${description === undefined ? Bun.escapeHTML(given) : orgInline(description, notes)}</a>`;
}
