import type { HistoryRequest } from "../../src/content/history/page.ts";
import { parseRfc3339 } from "../../src/content/values.ts";

/** A search in a history: words in messages, people and dates (contract web.md 1.6). */
export type CommitSearch = Pick<HistoryRequest, "match" | "since" | "until">;

const MAX_QUERY = 500;
const MAX_TERMS = 20;
const DAY_SECONDS = 86_400;

/** Parses `fix author:ada after:2024-01-31`: all terms must match, ignoring case. Undefined: an empty search. */
export function readCommitSearch(query: string): CommitSearch | undefined {
  const terms = query.slice(0, MAX_QUERY).split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  const found = { author: [] as string[], committer: [] as string[], grep: [] as string[] };
  let since: number | undefined;
  let until: number | undefined;
  for (const term of terms) {
    const colon = term.indexOf(":");
    const [name, value] = [term.slice(0, colon), term.slice(colon + 1)];
    const day = parseRfc3339(`${value}T00:00:00Z`)?.timestamp;
    if ((name === "author" || name === "committer") && value !== "") found[name].push(value);
    else if (name === "after" && day !== undefined) since = day;
    // As in git, the day itself is excluded on both sides.
    else if (name === "before" && day !== undefined) until = day - 1;
    else found.grep.push(term);
  }
  if (terms.length === 0) return undefined;
  return {
    match: { ...found, allMatch: true, ignoreCase: true, syntax: "fixed" },
    ...(since === undefined ? {} : { since: since + DAY_SECONDS }),
    ...(until === undefined ? {} : { until }),
  };
}
