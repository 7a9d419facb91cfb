import { cachedRepository } from "../../git/cached-repository.ts";
import { walk } from "../../git/history/log.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { type GraphRow, Lanes } from "./lanes.ts";

export interface GraphInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tips: readonly Oid[];
  readonly skip: number;
  readonly limit: number;
}

export interface GraphPage {
  readonly rows: readonly GraphRow[];
  readonly more: boolean;
}

/** A page of the graph; the lines of a page depend on all pages before it. */
export async function run({ repoDir, tips, skip, limit }: GraphInput, context: JobContext): Promise<GraphPage> {
  const commits = cachedRepository(context, repoDir).commits();
  const lanes = new Lanes();
  const rows: GraphRow[] = [];
  let passed = 0;
  for (const position of walk(commits, { tips, order: "topo-date" })) {
    if (rows.length === limit) return { rows, more: true };
    if (passed % 1000 === 0) context.signal.throwIfAborted();
    const parents = commits.parentsOf(position).map((parent) => commits.oidOf(parent));
    const row = lanes.place({ oid: commits.oidOf(position), parents });
    if (passed++ >= skip) rows.push(row);
  }
  return { rows, more: false };
}
