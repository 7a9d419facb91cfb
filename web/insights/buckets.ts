import type { WeekCount } from "../../src/git/contributors/contributors.ts";

const WEEK_SECONDS = 7 * 24 * 3600;

/**
 * The weeks of a history at equal distances, including empty ones, merged so that there are at most `maxBuckets`.
 * @param from start of the first week, in seconds; aligns several charts of the same period
 */
export function bucketsOf(
  weeks: readonly WeekCount[],
  maxBuckets: number,
  from = weeks[0]?.[0] ?? 0,
  until = weeks.at(-1)?.[0] ?? from,
): WeekCount[] {
  if (weeks.length === 0) return [];
  const count = Math.floor((until - from) / WEEK_SECONDS) + 1;
  // A commit may claim any year: weeks that far apart are not filled in.
  if (count > 100_000) return weeks.slice(-maxBuckets);
  const perBucket = Math.max(1, Math.ceil(count / maxBuckets));
  const buckets: [number, number, number, number][] = Array.from({ length: Math.ceil(count / perBucket) }, (_, at) => [
    from + at * perBucket * WEEK_SECONDS,
    0,
    0,
    0,
  ]);
  for (const [start, commits, additions, deletions] of weeks) {
    const bucket = buckets[Math.floor((start - from) / WEEK_SECONDS / perBucket)];
    if (!bucket) continue;
    bucket[1] += commits;
    bucket[2] += additions;
    bucket[3] += deletions;
  }
  return buckets;
}
