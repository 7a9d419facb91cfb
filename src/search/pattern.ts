import { type Required, requiredByExpression, requiredByText } from "./trigrams.ts";
import type { SearchMode } from "./types.ts";

export const MAX_QUERY = 500;
const MAX_WORDS = 10;

/** What a search looks for. */
export interface Pattern {
  /** Expressions each of which must match somewhere in a file; all lines that one matches are shown. Plain data, for a worker. */
  readonly expressions: readonly { readonly source: string; readonly flags: string }[];
  /** Whether they are texts, of which none can take long. */
  readonly isLiteral: boolean;
  readonly required: Required;
}

/**
 * Reads what someone looks for. Texts match without regard to case; expressions, too, unless they hold a capital letter.
 * @returns undefined: an expression that is none, or nothing at all
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
      // With "u" what is escaped for no reason is refused; people write it all the same.
    }
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
