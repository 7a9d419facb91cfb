import { changedFiles } from "../diff/changes.ts";
import { Comparison } from "../diff/comparison.ts";
import { statOf } from "../diff/print/print.ts";
import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { walk } from "../history/log.ts";
import type { Oid } from "../objects/types.ts";
import { CommitText } from "../pretty/commit-text.ts";
import { splitIdent } from "../pretty/ident.ts";

export interface ContributorsOptions {
  /** Commits whose history is counted, including themselves. */
  readonly tips: readonly Oid[];
  /** Count merges as commits; their lines are never counted. False by default. */
  readonly merges?: boolean;
  /** Count lines added and deleted, which takes most of the time; true by default. */
  readonly lines?: boolean;
  /** Maps identities, for example by a mailmap. Names are as returned by `decodeName`. */
  readonly mapIdentity?: (name: string, email: string) => { readonly name: string; readonly email: string };
  /** Identifies the mapping: results computed with another mapping are not continued. */
  readonly mapping?: string;
  /** An earlier result, for ancestors of the tips: only new commits are counted. */
  readonly previous?: Contributors;
}

/** A week's commits, and the lines they added and deleted. */
export type WeekCount = readonly [weekStart: number, commits: number, additions: number, deletions: number];

export interface Contributor {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  /** Weeks with activity, in order; they begin on Sundays, in seconds since 1970, by the author's date in UTC. */
  readonly weeks: readonly WeekCount[];
}

/** Plain data, which can be stored and continued later. */
export interface Contributors {
  readonly version: 1;
  readonly tips: readonly Oid[];
  readonly manner: string;
  /** Most commits first. */
  readonly authors: readonly Contributor[];
}

const WEEK_SECONDS = 7 * 24 * 3600;
/** 1 January 1970 was a Thursday. */
const FIRST_SUNDAY = 3 * 24 * 3600;
/** Commits between two checks of the clock and the signal. */
const STEPS = 64;
/** The lines of a change with more files are not counted: it is an import, and pairing its files could take minutes. */
const MAX_FILES = 20_000;

/**
 * Counts commits and lines per author and week in one walk, as `git shortlog -sne` and `git log --numstat` do. Yields
 * from time to time, so that the caller can do something else.
 * @throws CorruptObject if an object on the way is missing
 */
export function* countContributors(commits: Commits, options: ContributorsOptions): Generator<undefined, Contributors> {
  const manner = [options.merges ?? false, options.lines ?? true, options.mapping ?? ""].join(" ");
  const { previous } = options;
  const goesOn =
    previous?.version === 1 && previous.manner === manner && isBehind(commits, previous.tips, options.tips);
  const tally = new Tally(goesOn ? previous.authors : []);
  let steps = 0;
  for (const position of walk(commits, { tips: options.tips, not: goesOn ? previous.tips : [] })) {
    const parents = commits.parentsOf(position);
    if (++steps % STEPS === 0) yield undefined;
    if (parents.length > 1 && !options.merges) continue;
    const [additions, deletions] = (options.lines ?? true) && parents.length < 2 ? linesOf(commits, position) : [0, 0];
    tally.add(authorOf(commits, position, options), additions, deletions);
  }
  return { version: 1, tips: options.tips, manner, authors: tally.authors() };
}

/** Whether every old tip exists and is an ancestor of the new ones. */
function isBehind(commits: Commits, old: readonly Oid[], tips: readonly Oid[]): boolean {
  if (old.length === 0 || !old.every((oid) => commits.find(oid) !== undefined)) return false;
  return walk(commits, { tips: old, not: tips }).next().done === true;
}

interface Author {
  readonly name: string;
  readonly email: string;
  readonly time: number;
}

function authorOf(commits: Commits, position: number, { mapIdentity }: ContributorsOptions): Author {
  const oid = commits.oidOf(position);
  const object = commits.store.read(oid);
  if (!object) throw new CorruptObject(`commit ${oid} is missing`);
  const line = new CommitText({ oid, data: object.data }).signature("author");
  const ident = (line === undefined ? undefined : splitIdent(line)) ?? { name: "", email: "" };
  const time = Number(ident.date ?? 0);
  return {
    ...(mapIdentity?.(ident.name, ident.email) ?? { name: ident.name, email: ident.email }),
    time: Number.isSafeInteger(time) ? time : 0,
  };
}

function linesOf(commits: Commits, position: number): [additions: number, deletions: number] {
  const parent = commits.firstParentOf(position);
  const { store } = commits;
  const oldTree = parent < 0 ? undefined : commits.treeOf(parent);
  const { files, truncated } = changedFiles(store, oldTree, commits.treeOf(position), { maxFiles: MAX_FILES });
  let additions = 0;
  let deletions = 0;
  if (truncated) return [0, 0];
  for (const change of files) {
    const stat = statOf(new Comparison(store, change, {}));
    additions += stat.additions;
    deletions += stat.deletions;
  }
  return [additions, deletions];
}

/** Running counts by author and week. */
class Tally {
  private readonly people = new Map<string, { name: string; email: string; weeks: Map<number, WeekCount> }>();

  constructor(authors: readonly Contributor[]) {
    for (const { name, email, weeks } of authors) {
      this.people.set(keyOf(name, email), { name, email, weeks: new Map(weeks.map((week) => [week[0], week])) });
    }
  }

  add({ name, email, time }: Author, additions: number, deletions: number): void {
    const key = keyOf(name, email);
    let person = this.people.get(key);
    if (!person) {
      person = { name, email, weeks: new Map() };
      this.people.set(key, person);
    }
    const start = Math.floor((time - FIRST_SUNDAY) / WEEK_SECONDS) * WEEK_SECONDS + FIRST_SUNDAY;
    const [, commits, added, deleted] = person.weeks.get(start) ?? [start, 0, 0, 0];
    person.weeks.set(start, [start, commits + 1, added + additions, deleted + deletions]);
  }

  authors(): Contributor[] {
    const authors = [...this.people.values()].map(({ name, email, weeks }): Contributor => {
      const sorted = [...weeks.values()].sort((a, b) => a[0] - b[0]);
      const sum = (place: 1 | 2 | 3) => sorted.reduce((total, week) => total + week[place], 0);
      return { name, email, commits: sum(1), additions: sum(2), deletions: sum(3), weeks: sorted };
    });
    const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    return authors.sort((a, b) => b.commits - a.commits || order(a.name, b.name) || order(a.email, b.email));
  }
}

function keyOf(name: string, email: string): string {
  return `${name}\n${email}`;
}
