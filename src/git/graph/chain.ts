import { join } from "node:path";
import { readFile } from "../../workers/descriptors.ts";
import { CHAIN_DIRECTORY, CHAIN_PATH, GRAPH_PATH, layerName } from "./format.ts";
import { BadGraph, GraphLayer } from "./layer.ts";

/** If a chain changes this often while being read, something is wrong. */
const MAX_TRIES = 5;

/** The layers of a repository's commit-graph, lowest first. */
export interface OpenedLayers {
  readonly layers: readonly GraphLayer[];
  /** Whether it is a single file rather than a chain. */
  readonly single: boolean;
  /** Why the graph could not be used, or only in part. */
  readonly problem?: string;
}

/**
 * Opens the commit-graph of the bare repository at `repoDir`: the single file, else the chain, in git's order of
 * preference. If the chain is replaced between reading its list and opening its layers, it is read again. A missing
 * or damaged layer hides itself and those above it; the ones below are closed under "parent of" and remain usable.
 * Chain layers found in `reusable`, by their checksum, are not read again. For readers only, as nothing then
 * ensures that their files still exist.
 */
export function openLayers(repoDir: string, reusable: readonly GraphLayer[] = []): OpenedLayers {
  for (let attempt = 1; ; attempt++) {
    const file = readIfThere(join(repoDir, GRAPH_PATH));
    if (file) return singleOf(file);
    const names = chainNames(repoDir);
    if (names === undefined) {
      // Between the two checks a chain may have been merged into a single file; the second attempt finds it.
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

/** The checksums listed in the chain file, lowest first; undefined when there is no chain. */
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

/** Returns undefined when there is no such file. @throws BadGraph */
function readLayer(repoDir: string, name: string): GraphLayer | undefined {
  const bytes = readIfThere(join(repoDir, CHAIN_DIRECTORY, layerName(name)));
  return bytes && GraphLayer.parse(bytes);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFile(path);
  } catch {
    // Missing, a directory, or not readable: the graph only saves time.
    return undefined;
  }
}
