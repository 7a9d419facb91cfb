import { type MarkedHtml, type SafeHtml, trustHtml } from "../markup/safe-html.ts";
import type { RepoNames } from "./grammar.ts";
import { addressOf } from "./marks.ts";
import type { Reader } from "./service.ts";

/** Lines of a file in one commit, named by a URL that is a paragraph of its own (contract web.md 4.3). */
export interface ExcerptPlace {
  readonly repo: RepoNames;
  /** The full id: the lines of a branch may change. */
  readonly commit: string;
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The quoted lines of each place, escaped or highlighted; undefined if missing or hidden from the reader. */
export type ExcerptResolver = (
  reader: Reader,
  places: readonly ExcerptPlace[],
) => readonly (readonly SafeHtml[] | undefined)[];

const PLACE =
  /^([A-Za-z0-9][\w.-]{0,39})\/([\w.-]{1,100})\/src\/commit\/([0-9a-f]{40,64})\/([^?#\s]{1,1000})(?:\?display=source)?#L(\d{1,7})(?:-L?(\d{1,7}))?$/;
const ALONE = /<p(?: dir="auto")?>(<x-url>(<a [^>]*>)[^<]*<\/a><\/x-url>)<\/p>/g;

/** The URLs of lines that are paragraphs of their own. @param rootUrl ends in `/` */
export function excerptsIn(html: MarkedHtml, rootUrl: string): Map<string, ExcerptPlace> {
  const found = new Map<string, ExcerptPlace>();
  if (!html.includes("><x-url>")) return found;
  for (const [, , link = ""] of html.matchAll(ALONE)) {
    const address = addressOf(link);
    const place = placeOf(address, rootUrl);
    if (place) found.set(address, place);
  }
  return found;
}

function placeOf(address: string, rootUrl: string): ExcerptPlace | undefined {
  if (address.slice(0, rootUrl.length).toLowerCase() !== rootUrl.toLowerCase()) return undefined;
  const [, owner, name, commit, escaped = "", from, to = from] = PLACE.exec(address.slice(rootUrl.length)) ?? [];
  if (owner === undefined || name === undefined || commit === undefined) return undefined;
  const [a, b] = [Number(from), Number(to)];
  try {
    const path = decodeURIComponent(escaped);
    return { repo: { owner, name }, commit, path, first: Math.min(a, b), last: Math.max(a, b) };
  } catch {
    return undefined;
  }
}

/** Replaces the paragraphs with the lines; the URL stays above them, as a mark still to be resolved. */
export function withExcerpts(
  html: MarkedHtml,
  linesAt: (address: string) => { readonly first: number; readonly lines: readonly SafeHtml[] } | undefined,
): MarkedHtml {
  return html.replace(ALONE, (paragraph, mark: string, link: string) => {
    const found = linesAt(addressOf(link));
    if (!found) return paragraph;
    return `<p class="clip">${mark}</p>${codeOf(found.lines, found.first)}`;
  }) as MarkedHtml;
}

function codeOf(lines: readonly SafeHtml[], first: number): SafeHtml {
  const shown = lines.map((line, at) => `<span class="l" data-n="${first + at}">${line}\n</span>`);
  const digits = String(first + lines.length).length;
  return trustHtml(`<div class="code code-n${digits} tab-4"><pre>${shown.join("")}</pre></div>`);
}
