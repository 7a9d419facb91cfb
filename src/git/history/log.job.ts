import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import { countCommits, type LogOptions, log, type Page } from "./log.ts";

export interface LogInput extends LogOptions {
  /** The bare repository. */
  readonly repoDir: string;
  readonly skip: number;
  readonly limit: number;
  /** Whether to count the whole range as well: with a path, this walks all of it. */
  readonly count?: boolean;
}

/** A page of history, for slow cases: ranges with a path, or pages far down. */
export async function run(
  { repoDir, skip, limit, count, ...options }: LogInput,
  context: JobContext,
): Promise<Page & { total?: number }> {
  const commits = cachedRepository(context, repoDir).commits();
  const page = log(commits, options, skip, limit);
  return count ? { ...page, total: countCommits(commits, options) } : page;
}
