import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "../errors.ts";
import { RepositoryFolder } from "../folder.ts";
import { sweepGraphs } from "../graph/files.ts";
import { writeCommitGraph } from "../graph/writer.ts";
import type { Oid } from "../objects/types.ts";
import { alternatesOf } from "../odb/alternates.ts";
import { MAINTENANCE_PREFIX } from "../receive/quarantine.ts";
import {
  dropLock,
  isHolderDead,
  nameOfHolder,
  replaceThroughLock,
  sweepReplacements,
  takeLock,
} from "../refs/files.ts";
import { packRefs } from "../refs/pack-refs.ts";
import { rootsOf } from "./folder-roots.ts";
import { AGGRESSIVE_EFFORT, type OnProgress } from "./make-pack.ts";
import { planRemoval } from "./prune.ts";
import { removeLoose, removePacks } from "./remove.ts";
import { type Repacked, repack } from "./repack.ts";

export interface GcOptions {
  /** Remove unreachable objects written before this time (seconds since 1970); undefined: none. */
  readonly pruneBefore?: number | undefined;
  /** Recompute all deltas, with more effort. */
  readonly aggressive?: boolean;
  /** Do not repack the largest pack. */
  readonly keepLargest?: boolean;
  /** Run even if another gc is running. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** Another gc is running in the repository. */
export class GcRunning extends GitError {
  override name = "GcRunning";
}

/** The repository has working trees, whose heads and staged files this gc does not know about. */
export class HasWorkingTrees extends GitError {
  override name = "HasWorkingTrees";
}

/** No gc takes longer: an older lock was left behind. */
const MAX_HOURS = 12;

/**
 * `git gc` for a bare repository: packs refs into `packed-refs` and objects into one pack, removes old unreachable
 * objects and writes the commit-graph. Real git may use the directory meanwhile, as during its own gc. Packs with a
 * `.keep`, and those of a partial clone (`.promisor`), stay as they are.
 * @throws GcRunning HasWorkingTrees RefsLocked CorruptObject
 */
export async function gc(repository: RepositoryFolder, options: GcOptions = {}): Promise<Repacked> {
  const { gitDir } = repository;
  if (existsSync(join(gitDir, "index")) || namesIn(join(gitDir, "worktrees")).length > 0)
    throw new HasWorkingTrees("the repository has a working tree: use git gc");
  const lock = takeGcLock(gitDir, options.force ?? false);
  try {
    if (!options.force) sweepKilled(gitDir);
    await packRefs(
      gitDir,
      (ref) => repository.withPeeled(ref),
      (oid) => repository.store.has(oid),
    );
    const roots = rootsOf(repository);
    const untouched = untouchedPacks(gitDir, options.keepLargest ?? false);
    const done = await repack(gitDir, {
      roots: roots.tips,
      alsoRoots: roots.mentioned,
      shallow: roots.shallow,
      partial: hasElsewhere(gitDir),
      untouched,
      ...(options.pruneBefore === undefined ? {} : { pruneBefore: options.pruneBefore }),
      ...(options.aggressive ? { effort: AGGRESSIVE_EFFORT } : {}),
      withClosure: existsSync(join(gitDir, "objects", "info", "hearth")),
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    removeReplaced(repository, done, options.pruneBefore);
    removeLeftovers(gitDir, options.pruneBefore);
    refreshPackList(gitDir);
    if (roots.shallow.size === 0) await writeGraph(gitDir, options);
    return done;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** How often to check again when refs keep moving. */
const MAX_TRIES = 20;

/**
 * Removes packs and loose files that the new packs replace, including dropped objects unless they have become
 * reachable: a push may have referred to them while the packs were written.
 */
function removeReplaced(repository: RepositoryFolder, done: Repacked, pruneBefore: number | undefined): void {
  const { gitDir } = repository;
  const objectsDir = join(gitDir, "objects");
  const packs = new Set(done.replacedPacks);
  const loose = new Set(done.replacedLoose);
  const limit = pruneBefore ?? Number.NEGATIVE_INFINITY;
  for (let attempt = 1; attempt <= MAX_TRIES && packs.size + loose.size > 0; attempt++) {
    const roots = namesOf(repository);
    const plan = planRemoval(gitDir, { roots: [...roots], isGoing: (name) => packs.has(name), pruneBefore: limit });
    if (plan.lost > 0 && [...namesOf(repository)].some((oid) => !roots.has(oid))) continue;
    if (plan.packs.length > 0) removeIndexOfPacks(objectsDir);
    removePacks(gitDir, plan.packs);
    removeLoose(
      gitDir,
      [...plan.copies, ...plan.lostLoose].filter((oid) => loose.has(oid)),
    );
    break;
  }
  for (const name of namesIn(objectsDir)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    try {
      rmdirSync(join(objectsDir, name));
    } catch {
      // Not empty.
    }
  }
}

/** All ids currently referred to. */
function namesOf(repository: RepositoryFolder): ReadonlySet<Oid> {
  const { tips, mentioned } = rootsOf(repository);
  return new Set([...tips, ...mentioned]);
}

/** Removes the multi-pack-index, which refers to packs to be removed; real git works without it. */
function removeIndexOfPacks(objectsDir: string): void {
  for (const name of namesIn(join(objectsDir, "pack")))
    if (name.startsWith("multi-pack-index")) rmSync(join(objectsDir, "pack", name), { recursive: true, force: true });
}

/** Removes files left by a killed gc. Safe because the caller holds the lock. */
function sweepKilled(gitDir: string): void {
  const objectsDir = join(gitDir, "objects");
  for (const name of namesIn(objectsDir))
    if (name.startsWith(MAINTENANCE_PREFIX)) rmSync(join(objectsDir, name), { recursive: true, force: true });
  sweepReplacements(gitDir);
  sweepGraphs(gitDir);
}

/** Files of a push in progress are never this old, whatever the prune time. */
const LIVE_SECONDS = 3600;
/** A writer takes no longer than this between a pack and its index. */
const INDEX_SECONDS = 60;

/** Removes files left by other writers that died, if they are as old as the objects to prune. */
function removeLeftovers(gitDir: string, pruneBefore: number | undefined): void {
  if (pruneBefore === undefined) return;
  const now = Date.now() / 1000;
  const objectsDir = join(gitDir, "objects");
  const packDir = join(objectsDir, "pack");
  const timeOf = (path: string, what: "mtimeMs" | "ctimeMs") =>
    (statSync(path, { throwIfNoEntry: false })?.[what] ?? Number.POSITIVE_INFINITY) / 1000;
  for (const directory of [objectsDir, packDir])
    for (const name of namesIn(directory)) {
      const path = join(directory, name);
      if (/^\.?tmp[-_]/.test(name) && timeOf(path, "mtimeMs") < Math.min(pruneBefore, now - LIVE_SECONDS))
        rmSync(path, { recursive: true, force: true });
    }
  for (const name of namesIn(packDir)) {
    const path = join(packDir, name);
    const isAlone = name.endsWith(".pack") && !existsSync(path.replace(/pack$/, "idx"));
    if (isAlone && timeOf(path, "ctimeMs") < now - INDEX_SECONDS) rmSync(path, { force: true });
  }
}

async function writeGraph(gitDir: string, options: GcOptions): Promise<void> {
  const repository = RepositoryFolder.open(gitDir);
  try {
    const tips = repository.refs.list().map((ref) => ref.peeled ?? ref.oid);
    await writeCommitGraph(gitDir, repository.store, tips, {
      scope: "reachable",
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } finally {
    repository.close();
  }
}

function untouchedPacks(gitDir: string, keepLargest: boolean): Set<string> {
  const packDir = join(gitDir, "objects", "pack");
  const names = new Set(namesIn(packDir));
  const packs = [...names].filter((name) => name.endsWith(".pack")).map((name) => name.slice(0, -".pack".length));
  const untouched = new Set(packs.filter((name) => names.has(`${name}.keep`) || names.has(`${name}.promisor`)));
  if (keepLargest) {
    const sizeOf = (name: string) => statSync(join(packDir, `${name}.pack`)).size;
    const largest = packs.filter((name) => !names.has(`${name}.mtimes`)).sort((a, b) => sizeOf(b) - sizeOf(a))[0];
    if (largest !== undefined) untouched.add(largest);
  }
  return untouched;
}

/** Updates `objects/info/packs`, for clients of the dumb protocol, if it exists. */
function refreshPackList(gitDir: string): void {
  const path = join(gitDir, "objects", "info", "packs");
  if (!existsSync(path)) return;
  const packs = namesIn(join(gitDir, "objects", "pack")).filter((name) => name.endsWith(".pack"));
  writeFileSync(path, `${packs.map((name) => `P ${name}\n`).join("")}\n`);
}

/** Takes git's own gc lock: `gc.pid`, containing process id and host. A file without them is ignored. */
function takeGcLock(gitDir: string, force: boolean): string {
  const path = join(gitDir, "gc.pid");
  const lock = takeLock(path);
  try {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const holder = age < MAX_HOURS * 3_600_000 ? readFileSync(path, "utf8").trim() : "";
    const [, pid, machine] = /^(\d+) (\S+)$/.exec(holder) ?? [];
    if (!force && pid !== undefined && !isHolderDead(holder))
      throw new GcRunning(`gc is already running on machine '${machine}' pid ${pid} (use --force if not)`);
  } catch (error) {
    dropLock(path, lock);
    throw error;
  }
  replaceThroughLock(path, lock, nameOfHolder());
  return path;
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

/** Whether objects may be missing here because a remote promises them or another repository lends them. */
function hasElsewhere(gitDir: string): boolean {
  const objectsDir = join(gitDir, "objects");
  return (
    alternatesOf(objectsDir).length > 0 || namesIn(join(objectsDir, "pack")).some((name) => name.endsWith(".promisor"))
  );
}
