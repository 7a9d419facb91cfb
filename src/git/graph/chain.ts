import { join } from "node:path";
import { readFile } from "../../workers/descriptors.ts";
import { CHAIN_DIRECTORY, CHAIN_PATH, GRAPH_PATH, layerName } from "./format.ts";
import { BadGraph, GraphLayer } from "./layer.ts";

/** A chain that changes under the reader's eyes this often is someone's mistake. */
const MAX_TRIES = 5;

/** The layers of a repository's commit-graph, lowest first. */
export interface OpenedLayers {
  readonly layers: readonly GraphLayer[];
  /** A single file, not a chain. */
  readonly single: boolean;
  /** Why what there is was not taken, or not wholly. */
  readonly problem?: string;
}

/**
 * Opens what the bare repository at `repoDir` has: the single file, else the chain, as git prefers them. A chain may be
 * replaced between the reading of its list and the opening of its layers; it is read again then. A layer that is absent
 * or damaged hides itself and those above it: the ones below are closed under "parent of" and stay of use.
 * Layers of a chain that are among `reusable`, by their checksum, are not read again; for readers only, as nothing then
 * tells that their files are still there.
 */
export function openLayers(repoDir: string, reusable: readonly GraphLayer[] = []): OpenedLayers {
  for (let attempt = 1; ; attempt++) {
    const file = readIfThere(join(repoDir, GRAPH_PATH));
    if (file) return singleOf(file);
    const names = chainNames(repoDir);
    if (names === undefined) {
      // Between the two looks a chain may have been rolled into a single file; the second round sees it.
      if (attempt === 1) continue;
      return { layers: [], single: false };
    }
    const opened = openChain(repoDir, names, reusable);
    const replaced = opened.gone && attempt < MAX_TRIES;
    if (!replaced) return opened;
  }
}

function singleOf(bytes: Buffer): OpenedLayers {
  try {
    const layer = GraphLayer.parse(bytes);
    if (layer.bases.length > 0) throw new BadGraph("commit-graph has no base graphs chunk to lie on");
    return { layers: [layer], single: true };
  } catch (error) {
    if (!(error instanceof BadGraph)) throw error;
    return { layers: [], single: true, problem: error.message };
  }
}

/** The checksums the chain names, lowest first; undefined without a chain. */
export function chainNames(repoDir: string): string[] | undefined {
  const text = readIfThere(join(repoDir, CHAIN_PATH))?.toString("latin1");
  if (text === undefined) return undefined;
  return text.split("\n").filter((line) => line !== "");
}

function openChain(
  repoDir: string,
  names: readonly string[],
  reusable: readonly GraphLayer[],
): OpenedLayers & { gone: boolean } {
  const layers: GraphLayer[] = [];
  for (const [i, name] of names.entries()) {
    const stop = (problem: string, gone = false) => ({ layers, single: false, problem, gone });
    if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name))
      return stop(`invalid commit-graph chain: line '${name.slice(0, 80)}' not a hash`);
    try {
      const layer = reusable.find((one) => one.checksum === name) ?? readLayer(repoDir, name);
      if (!layer) return stop("unable to find all commit-graph files", true);
      const fits = layer.bases.length === i && layer.bases.every((base, at) => base === names[at]);
      if (!fits || layer.checksum !== name || (layers[0] && layers[0].format !== layer.format))
        return stop("commit-graph chain does not match");
      layers.push(layer);
    } catch (error) {
      if (!(error instanceof BadGraph)) throw error;
      return stop(error.message);
    }
  }
  return { layers, single: false, gone: false };
}

/** Undefined when there is no such file. @throws BadGraph */
function readLayer(repoDir: string, name: string): GraphLayer | undefined {
  const bytes = readIfThere(join(repoDir, CHAIN_DIRECTORY, layerName(name)));
  return bytes && GraphLayer.parse(bytes);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFile(path);
  } catch {
    // Absent, a directory, or not ours to read: the graph only saves time.
    return undefined;
  }
}
