import type { Commits } from "../graph/commits.ts";
import { Flags } from "../graph/flags.ts";
import type { Oid } from "../objects/types.ts";
import { Follower } from "./follow.ts";
import { countExactly } from "./walk/exclusion.ts";
import { commitMatch, type MatchRequest } from "./walk/match.ts";
import type { WalkOptions, WalkOrder, WalkStart } from "./walk/options.ts";
import { RevisionWalk } from "./walk/walk.ts";

export interface Range {
  /** Include these commits and their ancestors. */
  readonly tips: readonly Oid[];
  /** Exclude these commits and their ancestors. */
  readonly not?: readonly Oid[] | undefined;
  /** Follow first parents only. */
  readonly firstParent?: boolean | undefined;
}

/** Which commits a history shows; plain data, so that jobs can take it. */
export interface LogOptions extends Range {
  /** "date", the default, shows the newest first, as `git log` does. */
  readonly order?: WalkOrder | undefined;
  /**
   * Only commits that changed one of these files or directories, with the history simplification of `git log -- path`;
   * encoded as by `decodeName`, no leading or trailing slash.
   */
  readonly paths?: readonly string[] | undefined;
  /** Whether to follow the one path, a file, through renames, as `git log --follow` does. */
  readonly follow?: boolean | undefined;
  /** Committer times in seconds since 1970, both inclusive. As in git, an older commit ends its line of history. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** `--merges` sets a minimum of 2, `--no-merges` a maximum of 1. */
  readonly minParents?: number | undefined;
  readonly maxParents?: number | undefined;
  /** Patterns run in a backtracking engine: accept them from untrusted users only with `syntax: "fixed"`. */
  readonly match?: Omit<MatchRequest, "mapped"> | undefined;
}

export interface Page {
  readonly oids: Oid[];
  /** Whether there are more commits. */
  readonly more: boolean;
}

const SEEN = 1;

/**
 * A page of history.
 * @param skip commits to skip before the page
 * @param limit maximum number of commits on the page
 * @throws CorruptObject when a commit or tree on the way is missing; SyntaxError when a pattern is invalid
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
 * The number of commits `walk` would show. Without further limits, counts 80,000 commits of a commit-graph in
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

/** The equivalent walk options; whatever `not` reaches is excluded, even if clocks are wrong. */
export function walkOptions(options: LogOptions): WalkOptions {
  const { tips, not, match, follow: _, ...rest } = options;
  const starts: WalkStart[] = [];
  for (const oid of not ?? []) starts.push({ oid, side: "not" });
  for (const oid of tips) starts.push({ oid, side: "wanted" });
  return { ...rest, starts, exact: true, match: match && commitMatch(match) };
}

/** Whether the options show all of the commit's history. */
export function isHistoryOf(options: LogOptions, tip: Oid): boolean {
  const { tips, not, firstParent } = options;
  return tips.length === 1 && tips[0] === tip && !not?.length && !firstParent && isPlain(options);
}

/** Whether every commit of the range is shown. */
function isPlain({ paths, since, until, minParents, maxParents, match }: LogOptions): boolean {
  return !paths?.length && !match && [since, until, minParents, maxParents].every((limit) => limit === undefined);
}
