import type { SafeHtml } from "../src/markup/safe-html.ts";

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** What safe HTML says, without its elements. */
export function plainText(html: SafeHtml | string): string {
  return html
    .replace(/<[^<>]*>/g, "")
    .replace(/&([a-z]+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim();
}

const MAX_EXCERPT = 300;
/** Of a long text only so much is looked at: an excerpt has three hundred characters. */
const MAX_LOOKED_AT = 4_000;

/** The beginning of what it says, in one line. */
export function excerptOf(html: SafeHtml): string {
  const text = plainText(html.slice(0, MAX_LOOKED_AT).replace(/<[^<>]*$/, ""));
  return [...text.replace(/\s+/g, " ")].slice(0, MAX_EXCERPT).join("");
}
