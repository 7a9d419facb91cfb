import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type ContributorsInput, run as count } from "../git/contributors/contributors.job.ts";
import type { Contributor, Contributors, WeekCount } from "../git/contributors/contributors.ts";
import type { JobContext } from "../workers/job.ts";

export interface SummaryInput extends Pick<ContributorsInput, "repoDir" | "tips" | "mailmap" | "lines"> {
  /** The cache of the full count, continued after the next push. */
  readonly cachePath: string;
}

/** Contributors and their counts, as far as a page shows them. */
export interface ContributorsSummary {
  /** Of all contributors together. */
  readonly weeks: readonly WeekCount[];
  /** Those with the most commits. */
  readonly authors: readonly Contributor[];
  readonly authorCount: number;
  /** Whether lines were counted too. */
  readonly hasLines: boolean;
}

/** Maximum number of people named; the others are only counted. */
const MAX_AUTHORS = 50;

/** Counts contributors, continuing from the repository's cached count. */
export async function run({ cachePath, ...input }: SummaryInput, context: JobContext): Promise<ContributorsSummary> {
  const previous = readCount(cachePath);
  const counted = await count({ ...input, ...(previous ? { previous } : {}) }, context);
  if (previous?.tips.join() !== counted.tips.join() || previous?.manner !== counted.manner)
    writeCount(cachePath, counted);
  const weeks = new Map<number, WeekCount>();
  for (const author of counted.authors)
    for (const [start, commits, additions, deletions] of author.weeks) {
      const [, c, a, d] = weeks.get(start) ?? [start, 0, 0, 0];
      weeks.set(start, [start, c + commits, a + additions, d + deletions]);
    }
  return {
    weeks: [...weeks.values()].sort((a, b) => a[0] - b[0]),
    authors: counted.authors.slice(0, MAX_AUTHORS),
    authorCount: counted.authors.length,
    hasLines: input.lines ?? true,
  };
}

/** Undefined also if unreadable: it is counted again. */
function readCount(path: string): Contributors | undefined {
  try {
    const read: Contributors = JSON.parse(readFileSync(path, "utf8"));
    return read.version === 1 && Array.isArray(read.authors) && Array.isArray(read.tips) ? read : undefined;
  } catch {
    return undefined;
  }
}

function writeCount(path: string, counted: Contributors): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}`;
  writeFileSync(temporary, JSON.stringify(counted), { mode: 0o600 });
  renameSync(temporary, path);
}
