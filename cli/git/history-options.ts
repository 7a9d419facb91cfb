import { commitMatch, type MatchRequest } from "../../src/git/history/walk/match.ts";
import type { WalkOptions, WalkOrder } from "../../src/git/history/walk/options.ts";
import { Fatal } from "./command.ts";
import { parseGitDate } from "./dates.ts";
import type { OptionTable, Words } from "./options.ts";

/** Options of every command that walks history. */
export const historyOptions: OptionTable = {
  "-n": ["value", "max-count"],
  "--max-count": ["value", "max-count"],
  "--skip": ["value", "skip"],
  "--since": ["value", "since"],
  "--after": ["value", "since"],
  "--max-age": ["value", "max-age"],
  "--until": ["value", "until"],
  "--before": ["value", "until"],
  "--min-age": ["value", "min-age"],
  "--author": ["value", "author"],
  "--committer": ["value", "committer"],
  "--grep": ["value", "grep"],
  "--all-match": ["flag", "all-match"],
  "--invert-grep": ["flag", "invert-grep"],
  "-i": ["flag", "ignore-case"],
  "--regexp-ignore-case": ["flag", "ignore-case"],
  "-F": ["flag", "fixed"],
  "--fixed-strings": ["flag", "fixed"],
  "-E": ["flag", "extended"],
  "--extended-regexp": ["flag", "extended"],
  "-P": ["flag", "perl"],
  "--perl-regexp": ["flag", "perl"],
  "--basic-regexp": ["flag", "basic"],
  "--merges": ["flag", "merges"],
  "--no-merges": ["flag", "no-merges"],
  "--min-parents": ["value", "min-parents"],
  "--max-parents": ["value", "max-parents"],
  "--no-min-parents": ["flag", "no-min-parents"],
  "--no-max-parents": ["flag", "no-max-parents"],
  "--first-parent": ["flag", "first-parent"],
  "--reverse": ["flag", "reversed"],
  "--topo-order": ["flag", "topo"],
  "--date-order": ["flag", "topo-date"],
  "--author-date-order": ["flag", "topo-author"],
  "--parents": ["flag", "parents"],
  "--left-right": ["flag", "left-right"],
  "--boundary": ["flag", "boundary"],
};

const ORDERS: readonly WalkOrder[] = ["topo", "topo-date", "topo-author"];
const SYNTAXES = ["basic", "extended", "fixed", "perl"] as const;

/** The walk options. @throws Fatal for an invalid value */
export function readHistoryOptions(
  words: Words,
  mapped?: MatchRequest["mapped"],
): Omit<WalkOptions, "starts" | "paths"> & { readonly reverse: boolean } {
  const number = (name: string) => {
    const value = words.value(name);
    if (value === undefined) return undefined;
    // As in git, a non-number counts as 0.
    return Number.parseInt(value, 10) || 0;
  };
  const limit = number("max-count");
  const parents = parentLimits(words);
  const match = {
    author: words.all("author"),
    committer: words.all("committer"),
    grep: words.all("grep"),
    allMatch: words.has("all-match"),
    invertGrep: words.has("invert-grep"),
    ignoreCase: words.has("ignore-case"),
    syntax: lastOf(words, SYNTAXES),
    mapped,
  };
  const since = words.value("since");
  const until = words.value("until");
  return {
    firstParent: words.has("first-parent"),
    order: lastOf(words, ORDERS),
    since: number("max-age") ?? (since === undefined ? undefined : momentOf(since)),
    until: number("min-age") ?? (until === undefined ? undefined : momentOf(until)),
    minParents: parents.min,
    maxParents: parents.max,
    match: commitMatch(match),
    skip: Math.max(0, number("skip") ?? 0),
    limit: limit === undefined || limit < 0 ? undefined : limit,
    rewriteParents: words.has("parents"),
    boundary: words.has("boundary"),
    reverse: words.all("reversed").length % 2 === 1,
  };
}

/** Parses a complete date to seconds since 1970. @throws Fatal for everything else, including `yesterday` */
function momentOf(text: string): number {
  const found = parseGitDate(/^\d{4}-\d{1,2}-\d{1,2}$/.test(text) ? `${text} 00:00:00` : text);
  if (!found) throw new Fatal(`invalid date: ${text}`);
  return found.timestamp;
}

function lastOf<T extends string>(words: Words, names: readonly T[]): T | undefined {
  let last: T | undefined;
  for (const { name } of words.options) last = names.find((known) => known === name) ?? last;
  return last;
}

function parentLimits(words: Words): { min: number | undefined; max: number | undefined } {
  let min: number | undefined;
  let max: number | undefined;
  for (const { name, value } of words.options) {
    if (name === "merges") min = 2;
    else if (name === "no-merges") max = 1;
    else if (name === "min-parents") min = Number(value);
    else if (name === "max-parents") max = Number(value) < 0 ? undefined : Number(value);
    else if (name === "no-min-parents") min = undefined;
    else if (name === "no-max-parents") max = undefined;
  }
  return { min, max };
}
