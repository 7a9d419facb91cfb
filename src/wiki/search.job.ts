import { decodeText, isBinary } from "../content/texts.ts";
import { cachedRepository } from "../git/cached-repository.ts";
import type { Oid } from "../git/objects/types.ts";
import type { JobContext } from "../workers/job.ts";
import { titleOfFile } from "./names.ts";

export interface WikiSearchInput {
  /** The bare repository of the wiki. */
  readonly repoDir: string;
  /** Its pages in order. */
  readonly pages: readonly { readonly file: string; readonly oid: Oid }[];
  /** In lower case; a page must contain all of them. */
  readonly words: readonly string[];
}

/** A page that contains all words, and lines with one of them. */
export interface WikiMatch {
  readonly file: string;
  readonly lines: readonly string[];
}

const MAX_MATCHES = 50;
const MAX_LINES = 3;
const MAX_LINE = 200;
/** For longer pages only the title is searched. */
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** Searches the pages of a wiki: those whose title contains all words come first. */
export async function run(
  { pages, repoDir, words }: WikiSearchInput,
  context: JobContext,
): Promise<readonly WikiMatch[]> {
  const { store } = cachedRepository(context, repoDir);
  const titled: WikiMatch[] = [];
  const others: WikiMatch[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const { file, oid } of pages) {
    context.signal.throwIfAborted();
    if (titled.length === MAX_MATCHES) break;
    const title = (titleOfFile(file) ?? file).toLowerCase();
    const size = store.header(oid)?.sizeBytes ?? 0;
    const isRead = size <= MAX_BYTES && size <= left;
    if (isRead) left -= size;
    const bytes = isRead ? store.read(oid)?.data : undefined;
    const text = bytes && !isBinary(bytes) ? decodeText(bytes) : "";
    const lower = text.toLowerCase();
    if (words.every((word) => title.includes(word))) titled.push({ file, lines: linesWith(text, words) });
    else if (others.length < MAX_MATCHES && words.every((word) => title.includes(word) || lower.includes(word)))
      others.push({ file, lines: linesWith(text, words) });
  }
  return [...titled, ...others].slice(0, MAX_MATCHES);
}

function linesWith(text: string, words: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const lower = line.toLowerCase();
    const at = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    if (at.length === 0) continue;
    const start = Math.max(0, Math.min(...at) - MAX_LINE / 2);
    found.push(
      line
        .slice(start, start + MAX_LINE)
        .trim()
        .toWellFormed(),
    );
    if (found.length === MAX_LINES) break;
  }
  return found;
}
