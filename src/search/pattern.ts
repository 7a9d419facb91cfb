import { type Required, requiredByExpression, requiredByText } from "./trigrams.ts";
import type { SearchMode } from "./types.ts";

export const MAX_QUERY = 500;
const MAX_WORDS = 10;

/** What to search for. */
export interface Pattern {
  /** Each expression must match somewhere in a file; all lines that match one are shown. Plain data, for a worker. */
  readonly expressions: readonly { readonly source: string; readonly flags: string }[];
  /** Whether they are literal texts, none of which can take long. */
  readonly isLiteral: boolean;
  readonly required: Required;
}

/**
 * Parses a search query. Literal texts are case-insensitive; so are expressions, unless they contain a capital letter.
 * @returns undefined if it is not a valid expression, or empty
 */
export function readPattern(text: string, mode: SearchMode): Pattern | undefined {
  const given = mode === "regexp" ? text : text.trim();
  if (given === "" || given.length > MAX_QUERY) return undefined;
  if (mode === "regexp") return ofExpression(given);
  const words = mode === "words" ? [...new Set(given.split(/\s+/))].slice(0, MAX_WORDS) : [given];
  return {
    expressions: words.map((word) => ({ source: escaped(word), flags: "giu" })),
    isLiteral: true,
    required: { all: words.map(requiredByText) },
  };
}

function ofExpression(source: string): Pattern | undefined {
  const ignoresCase = source.replace(/\\./g, "").toLowerCase() === source.replace(/\\./g, "");
  for (const unicode of ["u", ""]) {
    const flags = `g${ignoresCase ? "i" : ""}${unicode}`;
    try {
      new RegExp(source, flags);
      return { expressions: [{ source, flags }], isLiteral: false, required: requiredByExpression(source) };
    } catch {
      // The "u" flag rejects unnecessary escapes; people write them all the same.
    }
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
