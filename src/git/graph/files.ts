import { copyFileSync, linkSync, readdirSync, renameSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncPath, writeSynced } from "../durable.ts";
import {
  dropLock,
  fileStamp,
  RefsLocked,
  removeFile,
  replaceThroughLock,
  sweepReplacements,
  takeLock,
} from "../refs/files.ts";
import { chainNames } from "./chain.ts";
import type { GraphFile } from "./encode.ts";
import { CHAIN_DIRECTORY, CHAIN_PATH, GRAPH_PATH, layerName } from "./format.ts";
import type { GraphLayer } from "./layer.ts";

/**
 * Puts commit-graph files in place. A writer must hold git's lock, `commit-graph-chain.lock`, and writes
 * in an order in which readers find either the old graph or the new one at any time: a layer before the list that names
 * it, the list before the single file is removed. Layers no longer listed stay for a grace period, for readers that
 * have read the old list.
 */

/** A reader opens the layers within milliseconds of reading the list. */
const LAYER_GRACE_MS = 10 * 60_000;
/** The lock is held only while files are written, so an older one has been abandoned. */
const STALE_LOCK_MS = 10 * 60_000;
const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 50;

/** A cheap stamp that changes with the repository's graph files. */
export function graphStamp(repoDir: string): string {
  return [GRAPH_PATH, CHAIN_PATH].map((path) => fileStamp(join(repoDir, path))).join(" ");
}

export interface GraphLock {
  readonly repoDir: string;
  readonly fd: number;
}

/** @throws RefsLocked when another writer keeps holding the lock */
export async function lockGraph(repoDir: string): Promise<GraphLock> {
  const path = join(repoDir, CHAIN_PATH);
  makeDirectory(join(repoDir, CHAIN_DIRECTORY));
  for (let attempt = 1; ; attempt++) {
    try {
      return { repoDir, fd: takeLock(path) };
    } catch (error) {
      if (!(error instanceof RefsLocked) || attempt === LOCK_TRIES) throw error;
      const mtimeMs = statSync(`${path}.lock`, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - mtimeMs > STALE_LOCK_MS) removeFile(`${path}.lock`);
      else await Bun.sleep(LOCK_PAUSE_MS);
    }
  }
}

export function unlockGraph({ repoDir, fd }: GraphLock): void {
  dropLock(join(repoDir, CHAIN_PATH), fd);
}

/** Makes the file the repository's only graph and releases the lock. */
export function putSingle(lock: GraphLock, file: GraphFile, crashPoint?: (name: string) => void): void {
  const { repoDir } = lock;
  try {
    const before = chainNames(repoDir) ?? [];
    writeBeside(join(repoDir, GRAPH_PATH), file, crashPoint);
    syncPath(join(repoDir, "objects/info"));
    removeFile(join(repoDir, CHAIN_PATH));
    retire(repoDir, before, []);
  } finally {
    unlockGraph(lock);
  }
}

/** Makes the file the top layer of a chain on `bases` and releases the lock. */
export function putLayer(
  lock: GraphLock,
  file: GraphFile,
  bases: readonly GraphLayer[],
  crashPoint?: (name: string) => void,
): void {
  const { repoDir, fd } = lock;
  const directory = join(repoDir, CHAIN_DIRECTORY);
  const single = join(repoDir, GRAPH_PATH);
  const names = [...bases.map((base) => base.checksum), file.checksum];
  let done = false;
  try {
    const before = chainNames(repoDir) ?? [];
    const lowest = join(directory, layerName(names[0]!));
    const wasSingle = statSync(single, { throwIfNoEntry: false }) !== undefined;
    if (wasSingle && bases.length > 0 && !statSync(lowest, { throwIfNoEntry: false })) linkOrCopy(single, lowest);
    writeBeside(join(directory, layerName(file.checksum)), file, crashPoint);
    syncPath(directory);
    done = true;
    replaceThroughLock(join(repoDir, CHAIN_PATH), fd, names.map((name) => `${name}\n`).join(""));
    crashPoint?.("graph: chain replaced");
    if (wasSingle) {
      unlinkSync(single);
      syncPath(join(repoDir, "objects/info"));
    }
    retire(repoDir, before, names);
  } finally {
    if (!done) unlockGraph(lock);
  }
}

/** Hard-links a file to a second name, or copies it if the file system does not support that. */
function linkOrCopy(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    copyFileSync(path, `${name}.tmp`);
    syncPath(`${name}.tmp`);
    renameSync(`${name}.tmp`, name);
  }
}

function writeBeside(path: string, file: GraphFile, crashPoint?: (name: string) => void): void {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeSynced(temporary, file.bytes, 0o444);
    crashPoint?.("graph: flushed");
    renameSync(temporary, path);
    crashPoint?.("graph: renamed");
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

/** Starts the grace period of layers listed until now, and removes those whose grace period is over. */
function retire(repoDir: string, before: readonly string[], named: readonly string[]): void {
  const directory = join(repoDir, CHAIN_DIRECTORY);
  const now = new Date();
  for (const name of before) {
    if (named.includes(name)) continue;
    // Someone may have removed it already.
    if (statSync(join(directory, layerName(name)), { throwIfNoEntry: false }))
      utimesSync(join(directory, layerName(name)), now, now);
  }
  const kept = new Set(named.map(layerName));
  for (const name of readdirSync(directory)) {
    if (!/^graph-[0-9a-f]+\.graph$/.test(name) || kept.has(name)) continue;
    const mtimeMs = statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now.getTime() - mtimeMs > LAYER_GRACE_MS) removeFile(join(directory, name));
  }
}

/** Removes files left by a process killed while writing a graph. Call it only when none of ours is writing one. */
export function sweepGraphs(repoDir: string): void {
  for (const directory of ["objects/info", CHAIN_DIRECTORY].map((name) => join(repoDir, name))) {
    if (!statSync(directory, { throwIfNoEntry: false })) continue;
    sweepReplacements(directory);
    for (const name of readdirSync(directory))
      if (/^(?:commit-graph|graph-[0-9a-f]+\.graph)\..*tmp$/.test(name)) removeFile(join(directory, name));
  }
}
