import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { plainText } from "../plain-text.ts";

/** A heading of a rendered document. */
export interface OutlineEntry {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

const MAX_ENTRIES = 200;
const MAX_CHARACTERS = 100;
const OPENING = /<h([1-6]) id="(user-content-[^"<>]*)"[^<>]*>/g;

/** The headings of rendered Markdown, in order. */
export function outlineOf(html: SafeHtml): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const found of html.matchAll(OPENING)) {
    const [tag, level = "", id = ""] = found;
    const start = found.index + tag.length;
    const end = html.indexOf(`</h${level}>`, start);
    if (end < 0) break;
    const text = plainText(html.slice(start, end)).slice(0, MAX_CHARACTERS);
    if (text !== "") entries.push({ level: Number(level), id, text });
    if (entries.length === MAX_ENTRIES) break;
  }
  return entries;
}
