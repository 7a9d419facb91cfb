import { cachedRepository } from "../../git/cached-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { type HistoryPage, type HistoryRequest, historyPage } from "./page.ts";

/** A page of history of the bare repository in `repoDir`. */
export async function run(
  { repoDir, ...request }: HistoryRequest & { readonly repoDir: string },
  context: JobContext,
): Promise<HistoryPage> {
  return historyPage(cachedRepository(context, repoDir).commits(), request);
}
