import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { chainNames, openLayers } from "./chain.ts";
import { CHAIN_DIRECTORY, GRAPH_PATH, LEVEL_MAX, layerName } from "./format.ts";
import { BadGraph, GraphLayer } from "./layer.ts";
import { readLinks } from "./links.ts";
import { CommitGraph } from "./reader.ts";

/** Maximum number of problems reported; a graph of a different history would have millions. */
const MAX_PROBLEMS = 1_000;

/**
 * Compares the commit-graph of the bare repository at `repoDir` with its objects, as `git commit-graph verify` does and
 * mostly in its words: checksums, order, fanout, trees, parents, generations and dates. Returns an empty list when the
 * graph is correct or there is none.
 */
export function verifyCommitGraph(repoDir: string, store: ObjectSource, signal?: AbortSignal): string[] {
  const problems: string[] = [];
  const layers: GraphLayer[] = [];
  const { problem, layers: sound, single } = openLayers(repoDir);
  for (const path of pathsOf(repoDir, single)) {
    try {
      const layer = GraphLayer.parseUnchecked(readFileSync(path));
      if (!layer.isChecksumRight()) problems.push("the commit-graph file has incorrect checksum and is likely corrupt");
      layers.push(layer);
    } catch (error) {
      if (!(error instanceof BadGraph || (error instanceof Error && "code" in error))) throw error;
      problems.push(`error: ${error instanceof BadGraph ? error.message : "unable to find all commit-graph files"}`);
      return problems;
    }
  }
  if (problem !== undefined && problems.length === 0) return [`error: ${problem}`];
  const graph = CommitGraph.of(layers);
  if (!graph) return problems;
  if (graph.format !== store.format) return ["error: commit-graph hash version does not match"];
  problems.push(...layers.flatMap(orderProblems));
  if (problems.length > 0 && sound.length === layers.length) return problems;
  try {
    new RowCheck(graph, store, problems).run(signal);
  } catch (error) {
    if (!(error instanceof BadGraph)) throw error;
    problems.push(`error: ${error.message}`);
  }
  return problems;
}

function pathsOf(repoDir: string, single: boolean): string[] {
  if (single) return [join(repoDir, GRAPH_PATH)];
  return (chainNames(repoDir) ?? []).map((name) => join(repoDir, CHAIN_DIRECTORY, layerName(name)));
}

function orderProblems(layer: GraphLayer): string[] {
  const problems: string[] = [];
  let first = 0;
  const wrongFanout = (row: number) => {
    const found = layer.fanoutAt(first);
    if (found !== row) problems.push(`commit-graph has incorrect fanout value: fanout[${first}] = ${found} != ${row}`);
  };
  for (let row = 0; row < layer.count; row++) {
    const oid = layer.oidAt(row);
    const previous = row === 0 ? "" : layer.oidAt(row - 1);
    if (oid <= previous) problems.push(`commit-graph has incorrect OID order: ${previous} then ${oid}`);
    for (const byte = Number.parseInt(oid.slice(0, 2), 16); first < byte; first++) wrongFanout(row);
    if (problems.length > MAX_PROBLEMS) return problems;
  }
  for (; first < 256; first++) wrongFanout(layer.count);
  return problems;
}

class RowCheck {
  private zeroSeen = false;
  private otherSeen = false;

  constructor(
    private readonly graph: CommitGraph,
    private readonly store: ObjectSource,
    private readonly problems: string[],
  ) {}

  run(signal?: AbortSignal): void {
    for (let position = 0; position < this.graph.count; position++) {
      if ((position & 1023) === 0) signal?.throwIfAborted();
      this.check(position);
      if (this.problems.length > MAX_PROBLEMS) return;
    }
  }

  private check(position: number): void {
    const { graph, problems } = this;
    const oid = graph.oidAt(position);
    const links = this.linksOf(oid);
    if (!links) {
      problems.push(`failed to parse commit ${oid} from object database for commit-graph`);
      return;
    }
    if (links.tree !== graph.treeAt(position))
      problems.push(`root tree OID for commit ${oid} in commit-graph is ${graph.treeAt(position)} != ${links.tree}`);
    const parents = graph.parentsAt(position);
    parents.forEach((parent, i) => {
      const wanted = links.parents[i];
      const found = graph.oidAt(parent);
      if (wanted === undefined) problems.push(`commit-graph parent list for commit ${oid} is too long`);
      else if (found !== wanted) problems.push(`commit-graph parent for ${oid} is ${found} != ${wanted}`);
    });
    if (parents.length < links.parents.length)
      problems.push(`commit-graph parent list for commit ${oid} terminates early`);
    this.checkGeneration(position, oid, parents);
    const time = Math.max(0, links.committerTime);
    if (graph.timeAt(position) !== time)
      problems.push(`commit date for commit ${oid} in commit-graph is ${graph.timeAt(position)} != ${time}`);
  }

  private checkGeneration(position: number, oid: string, parents: readonly number[]): void {
    const { graph, problems } = this;
    const generation = graph.generationAt(position);
    if (generation === 0) {
      if (this.otherSeen)
        problems.push(`commit-graph has generation number zero for commit ${oid}, but non-zero elsewhere`);
      this.zeroSeen = true;
      return;
    }
    if (this.zeroSeen)
      problems.push(`commit-graph has non-zero generation number for commit ${oid}, but zero elsewhere`);
    this.otherSeen = true;
    let max = 0;
    for (const parent of parents) max = Math.max(max, graph.generationAt(parent));
    if (!graph.hasCorrectedDates && max === LEVEL_MAX) max--;
    if (generation < max + 1) problems.push(`commit-graph generation for commit ${oid} is ${generation} < ${max + 1}`);
  }

  private linksOf(oid: string) {
    try {
      return readLinks(this.store, oid);
    } catch (error) {
      if (error instanceof CorruptObject) return undefined;
      throw error;
    }
  }
}
