import type { Commits } from "../graph/commits.ts";
import { Flags } from "../graph/flags.ts";
import type { Oid } from "../objects/types.ts";
import { Follower } from "./follow.ts";
import { countExactly } from "./walk/exclusion.ts";
import { commitMatch, type MatchRequest } from "./walk/match.ts";
import type { WalkOptions, WalkOrder, WalkStart } from "./walk/options.ts";
import { RevisionWalk } from "./walk/walk.ts";

export interface Range {
  /** Commits whose ancestors are wanted, themselves included. */
  readonly tips: readonly Oid[];
  /** Commits whose ancestors are not, themselves included. */
  readonly not?: readonly Oid[] | undefined;
  /** Follow first parents only. */
  readonly firstParent?: boolean | undefined;
}

/** What a history shows; plain data, as jobs take it. */
export interface LogOptions extends Range {
  /** "date", the default, shows the newest first, as `git log` does. */
  readonly order?: WalkOrder | undefined;
  /**
   * Only commits that changed one of these files or directories, simplified as `git log -- path` does; names as `decodeName`
   * gives them, no slashes at the ends.
   */
  readonly paths?: readonly string[] | undefined;
  /** The one path is a file to be followed through its renames, as `git log --follow` does. */
  readonly follow?: boolean | undefined;
  /** Committer times in seconds since 1970, both inclusive. A commit that is older ends its line, as in git. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** `--merges` is 2 at least, `--no-merges` is 1 at most. */
  readonly minParents?: number | undefined;
  readonly maxParents?: number | undefined;
  /** Patterns are run by a backtracking engine: take them from strangers only with `syntax: "fixed"`. */
  readonly match?: Omit<MatchRequest, "mapped"> | undefined;
}

export interface Page {
  readonly oids: Oid[];
  /** Whether there are further ones. */
  readonly more: boolean;
}

const SEEN = 1;

/**
 * A page of history.
 * @param skip commits to leave out before the page
 * @param limit commits on the page at most
 * @throws CorruptObject when a commit or tree on the way is missing; SyntaxError a pattern that is none
 */
export function log(commits: Commits, options: LogOptions, skip: number, limit: number): Page {
  const oids: Oid[] = [];
  let passed = 0;
  for (const position of walk(commits, options)) {
    if (passed++ < skip) continue;
    if (oids.length === limit) return { oids, more: true };
    oids.push(commits.oidOf(position));
  }
  return { oids, more: false };
}

/**
 * How many commits `walk` would show. Without further limits, 80,000 commits of a commit-graph are counted in
 * milliseconds.
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function countCommits(commits: Commits, options: LogOptions): number {
  let count = 0;
  if (!isPlain(options)) {
    for (const _ of walk(commits, options.follow ? options : { ...options, order: "date" })) count++;
    return count;
  }
  if (options.not?.length) return countExactly(commits, walkOptions(options));
  const flags = new Flags(commits.size);
  const waiting: number[] = [];
  const add = (position: number) => {
    if (position >= 0 && flags.add(position, SEEN) === 0) waiting.push(position);
  };
  for (const tip of options.tips) add(commits.positionOf(tip));
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    count++;
    add(commits.firstParentOf(position));
    if (options.firstParent) continue;
    const second = commits.secondParentOf(position);
    if (second === -2) for (const parent of commits.parentsOf(position)) add(parent);
    else add(second);
  }
  return count;
}

/**
 * The commits of a range, by position, in order.
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function* walk(commits: Commits, options: LogOptions): Generator<number> {
  const [path, ...others] = options.paths ?? [];
  if (!options.follow || path === undefined || others.length > 0) {
    yield* new RevisionWalk(commits, walkOptions(options));
    return;
  }
  const follower = new Follower(commits, path, options.firstParent);
  for (const position of new RevisionWalk(commits, walkOptions({ ...options, paths: [] })))
    if (follower.changes(position)) yield position;
}

/** The walk that shows these; what `not` reaches is left out whatever the clocks say. */
export function walkOptions(options: LogOptions): WalkOptions {
  const { tips, not, match, follow: _, ...rest } = options;
  const starts: WalkStart[] = [];
  for (const oid of not ?? []) starts.push({ oid, side: "not" });
  for (const oid of tips) starts.push({ oid, side: "wanted" });
  return { ...rest, starts, exact: true, match: match && commitMatch(match) };
}

/** Whether it shows all of that commit's history. */
export function isHistoryOf(options: LogOptions, tip: Oid): boolean {
  const { tips, not, firstParent } = options;
  return tips.length === 1 && tips[0] === tip && !not?.length && !firstParent && isPlain(options);
}

/** Whether every commit of the range is shown. */
function isPlain({ paths, since, until, minParents, maxParents, match }: LogOptions): boolean {
  return !paths?.length && !match && [since, until, minParents, maxParents].every((limit) => limit === undefined);
}
