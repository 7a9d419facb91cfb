import { Commits } from "../graph/commits.ts";
import { ObjectStore } from "../objects/store.ts";
import { countCommits, type LogOptions, log, type Page } from "./log.ts";

export interface LogInput extends LogOptions {
  /** The bare repository. */
  readonly repoDir: string;
  readonly skip: number;
  readonly limit: number;
  /** Count the whole range as well: with a path this walks all of it. */
  readonly count?: boolean;
}

/** A page of history, for ranges with a path or far down, which take long. */
export async function run({ repoDir, skip, limit, count, ...options }: LogInput): Promise<Page & { total?: number }> {
  const store = ObjectStore.open(repoDir);
  try {
    const commits = Commits.open(repoDir, store);
    const page = log(commits, options, skip, limit);
    return count ? { ...page, total: countCommits(commits, options) } : page;
  } finally {
    store.close();
  }
}
