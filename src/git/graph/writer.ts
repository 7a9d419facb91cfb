import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { changedPathFilter } from "./changed-paths.ts";
import { encodeGraph } from "./encode.ts";
import { graphStamp, lockGraph, putLayer, putSingle, unlockGraph } from "./files.ts";
import { CommitGraph } from "./reader.ts";
import { RowFilters } from "./row-filters.ts";
import { type GraphScope, generations, planRows, type Rows } from "./rows.ts";

export interface GraphWriteOptions {
  /** How to treat the existing graph; "append" by default. */
  readonly scope?: GraphScope;
  readonly signal?: AbortSignal;
  readonly crashPoint?: (name: string) => void;
}

export interface GraphWritten {
  /** Number of commits in the graph now. */
  readonly commits: number;
  /** Number of commits added. */
  readonly added: number;
  /** Number of files the graph consists of now. */
  readonly layers: number;
  /** Number of rows in the new file. */
  readonly rows: number;
  /** False when the graph was already up to date and left unchanged. */
  readonly written: boolean;
}

const YIELD_AFTER_MS = 50;
/** The trees of this many commits are ten megabytes of garbage, which the collector would let grow to hundreds. */
const TIDY_AFTER = 200;
/** How often to start over when another process replaces the graph meanwhile. */
const MAX_TRIES = 5;

/**
 * Brings the commit-graph of the bare repository at `repoDir` up to date: existing rows and filters stay, commits
 * reachable from `tips` are added with theirs. A few new commits become a small layer on top of the chain; layers that
 * are not much larger than the addition are merged with it (git's rule, size multiple 2), so that there are few. Files
 * are replaced atomically and durably.
 * @param tips ids of commits or of tags of commits; tips of other kinds are skipped
 * @throws CorruptObject when an object on the way is missing; RefsLocked when another writer keeps holding the lock;
 * DOMException AbortError when the signal is aborted
 */
export async function writeCommitGraph(
  repoDir: string,
  store: ObjectSource,
  tips: readonly Oid[],
  options: GraphWriteOptions = {},
): Promise<GraphWritten> {
  const scope = options.scope ?? "append";
  for (let attempt = 1; ; attempt++) {
    const mark = graphStamp(repoDir);
    const old = oldGraph(repoDir, store);
    const rows = planRows(store, old, tips, scope);
    const isEmpty = !old && rows.count === 0;
    if (isEmpty || (old && isUpToDate(old, rows, scope))) {
      return { commits: old?.count ?? 0, added: 0, layers: old?.layers.length ?? 0, rows: 0, written: false };
    }
    const filters = await filtersOf(rows, store, options);
    const bases = old ? old.layers.slice(0, rows.retainedLayers) : [];
    const file = encodeGraph(
      rows,
      generations(rows),
      filters,
      bases.map((base) => base.checksum),
    );
    const lock = await lockGraph(repoDir);
    if (graphStamp(repoDir) !== mark && attempt < MAX_TRIES) {
      unlockGraph(lock);
      continue;
    }
    if (bases.length === 0) putSingle(lock, file, options.crashPoint);
    else putLayer(lock, file, bases, options.crashPoint);
    const commits = rows.baseCount + rows.count;
    return { commits, added: rows.added, layers: bases.length + 1, rows: rows.count, written: true };
  }
}

/** Verifies checksums, because damage in the old file would be copied into the new one. */
function oldGraph(repoDir: string, store: ObjectSource): CommitGraph | undefined {
  const old = CommitGraph.open(repoDir);
  return old?.format === store.format ? old : undefined;
}

function isUpToDate(old: CommitGraph, rows: Rows, scope: GraphScope): boolean {
  if (!old.hasFilters || !old.hasCorrectedDates || rows.added > 0) return false;
  if (scope === "append") return true;
  return old.layers.length === 1 && rows.count === old.count;
}

async function filtersOf(rows: Rows, store: ObjectSource, options: GraphWriteOptions): Promise<RowFilters> {
  const filters = new RowFilters(rows.count);
  let lastYield = performance.now();
  let computed = 0;
  for (const i of newestFirst(rows)) {
    const retained = rows.retainedFrom[i]!;
    const stored = retained >= 0 ? rows.old!.filterAt(retained) : undefined;
    if (stored?.length) filters.set(i, stored);
    else {
      filters.set(i, changedPathFilter(store, rows.firstParentTree(i), rows.treeOf(i)));
      if (++computed % TIDY_AFTER === 0) Bun.gc(true);
    }
    if (performance.now() - lastYield > YIELD_AFTER_MS) {
      // Lets the thread notice that the job was cancelled.
      await Bun.sleep(0);
      options.signal?.throwIfAborted();
      lastYield = performance.now();
    }
  }
  if (computed >= TIDY_AFTER) Bun.gc(true);
  return filters;
}

/** Packs store trees newest first, each as a delta against the previous one: in that order all bases are cached. */
function newestFirst(rows: Rows): Uint32Array {
  const times = new Float64Array(rows.count);
  const order = new Uint32Array(rows.count);
  for (let i = 0; i < rows.count; i++) {
    times[i] = rows.timeOf(i);
    order[i] = i;
  }
  return order.sort((a, b) => times[b]! - times[a]!);
}
