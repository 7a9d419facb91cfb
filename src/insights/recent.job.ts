import { cachedRepository } from "../git/cached-repository.ts";
import { walk } from "../git/history/log.ts";
import { parseCommit } from "../git/objects/commit.ts";
import type { Oid } from "../git/objects/types.ts";
import type { JobContext } from "../workers/job.ts";

export interface RecentInput {
  readonly repoDir: string;
  readonly tip: Oid;
  /** Committed since then, in seconds since 1970. */
  readonly since: number;
}

/** Recent commits without merges. */
export interface Recent {
  readonly commits: number;
  readonly merges: number;
  /** Most commits first. */
  readonly authors: readonly { readonly name: string; readonly email: string; readonly commits: number }[];
  readonly authorCount: number;
  /** In the author's time zone: 24 hours of Sunday, of Monday, … */
  readonly hours: readonly number[];
}

const HOUR = 3600;
const HOURS_OF_WEEK = 7 * 24;
/** 1970 began on a Thursday. */
const FIRST_HOUR = 4 * 24;
const MAX_AUTHORS = 20;
/** Maximum number of commits counted, however many there are in that time. */
const MAX_COMMITS = 100_000;

/** Commits since a time, by author and by hour. */
export function run({ repoDir, tip, since }: RecentInput, context: JobContext): Recent {
  const commits = cachedRepository(context, repoDir).commits();
  const hours = Array.from({ length: HOURS_OF_WEEK }, () => 0);
  const authors = new Map<string, { name: string; email: string; commits: number }>();
  let [count, merges] = [0, 0];
  for (const position of walk(commits, { tips: [tip], since })) {
    if (count + merges === MAX_COMMITS) break;
    context.signal.throwIfAborted();
    if (commits.parentsOf(position).length > 1) {
      merges++;
      continue;
    }
    const object = commits.store.read(commits.oidOf(position));
    if (object?.type !== "commit") continue;
    const { author } = parseCommit(object.data);
    count++;
    const hour = Math.floor((author.timestamp + author.offsetMinutes * 60) / HOUR) + FIRST_HOUR;
    const at = ((hour % HOURS_OF_WEEK) + HOURS_OF_WEEK) % HOURS_OF_WEEK;
    if (Number.isInteger(at)) hours[at] = (hours[at] ?? 0) + 1;
    const key = author.email.toLowerCase();
    const known = authors.get(key) ?? { name: author.name, email: author.email, commits: 0 };
    known.commits++;
    authors.set(key, known);
  }
  const sorted = [...authors.values()].sort((a, b) => b.commits - a.commits || (a.email < b.email ? -1 : 1));
  return { commits: count, merges, authors: sorted.slice(0, MAX_AUTHORS), authorCount: authors.size, hours };
}
