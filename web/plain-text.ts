import type { SafeHtml } from "../src/markup/safe-html.ts";

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The text of safe HTML, without its elements. */
export function plainText(html: SafeHtml | string): string {
  return html
    .replace(/<[^<>]*>/g, "")
    .replace(/&([a-z]+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim();
}

const MAX_EXCERPT = 300;
/** Only this many characters of a long text are read: an excerpt has three hundred. */
const MAX_LOOKED_AT = 4_000;

/** The beginning of the text, on one line. */
export function excerptOf(html: SafeHtml): string {
  const text = plainText(html.slice(0, MAX_LOOKED_AT).replace(/<[^<>]*$/, ""));
  return [...text.replace(/\s+/g, " ")].slice(0, MAX_EXCERPT).join("");
}
