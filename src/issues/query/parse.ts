/**
 * The query language of the search box: `is:open label:bug -label:"needs work" author:me no:milestone sort:updated
 * "exact words"`. Words without a colon are searched for; quotes keep blanks together, a minus negates a term.
 */

/** A part of a query other than a search word. */
export interface QueryTerm {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  readonly isNegated: boolean;
}

export interface ParsedQuery {
  readonly words: readonly string[];
  readonly terms: readonly QueryTerm[];
}

/** Names that make a term; any other word with a colon, such as an address, is a search word. */
export const termNames: ReadonlySet<string> = new Set([
  "is",
  "state",
  "type",
  "label",
  "no",
  "has",
  "author",
  "assignee",
  "mentions",
  "milestone",
  "project",
  "sort",
  "created",
  "updated",
  "closed",
  "comments",
  "repo",
  "owner",
  "review-requested",
  "reviewed-by",
]);

/** Longer queries are truncated: no one types so much. */
const MAX_QUERY = 1_000;
/** Max parts read. */
const MAX_PARTS = 50;

export function parseQuery(text: string): ParsedQuery {
  const words: string[] = [];
  const terms: QueryTerm[] = [];
  for (const part of partsOf(text.slice(0, MAX_QUERY)).slice(0, MAX_PARTS)) {
    const term = termOf(part);
    if (term) terms.push(term);
    else if (part.text !== "") words.push(part.text);
  }
  return { words, terms };
}

interface Part {
  /** Without its quotes. */
  readonly text: string;
  /** Position of its first quote; a colon after it is text. */
  readonly quoteAt: number;
}

/** Splits at blanks outside quotes. An unclosed quote extends to the end. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let part = "";
  let quoteAt = Number.POSITIVE_INFINITY;
  let isQuoted = false;
  const end = () => {
    if (part !== "") parts.push({ text: part, quoteAt });
    part = "";
    quoteAt = Number.POSITIVE_INFINITY;
  };
  for (const character of text) {
    if (character === '"') {
      quoteAt = Math.min(quoteAt, part.length);
      isQuoted = !isQuoted;
    } else if (!isQuoted && /\s/.test(character)) end();
    else part += character;
  }
  end();
  return parts;
}

function termOf({ text, quoteAt }: Part): QueryTerm | undefined {
  const colon = text.indexOf(":");
  if (colon < 1 || quoteAt < colon) return undefined;
  const isNegated = text.startsWith("-");
  const name = text.slice(isNegated ? 1 : 0, colon).toLowerCase();
  return termNames.has(name) ? { name, value: text.slice(colon + 1), isNegated } : undefined;
}
