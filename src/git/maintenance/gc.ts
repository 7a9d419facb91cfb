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
  /** Objects nothing leads to that were written before this time (seconds since 1970) go; undefined: none. */
  readonly pruneBefore?: number | undefined;
  /** Look for all deltas again, and longer. */
  readonly aggressive?: boolean;
  /** Leave the largest pack as it is. */
  readonly keepLargest?: boolean;
  /** Do not mind another one at work. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** Another one is at work in the repository. */
export class GcRunning extends GitError {
  override name = "GcRunning";
}

/** The repository has working trees, of whose heads and staged files nothing here knows. */
export class HasWorkingTrees extends GitError {
  override name = "HasWorkingTrees";
}

/** No gc takes longer: a lock this old was left behind. */
const MAX_HOURS = 12;

/**
 * `git gc` for a bare repository: refs into `packed-refs`, objects into one pack, old ones that nothing leads to
 * away, the commit-graph written. Real git may work in the directory meanwhile, as beside its own gc. Packs with a
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

/** Refs that move all the time are checked again this often. */
const MAX_TRIES = 20;

/**
 * Packs and loose files that the new packs replace. What was dropped goes with them, unless something leads to it by
 * now: a push may have named it while the packs were made.
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

/** Everything that names an object now. */
function namesOf(repository: RepositoryFolder): ReadonlySet<Oid> {
  const { tips, mentioned } = rootsOf(repository);
  return new Set([...tips, ...mentioned]);
}

/** It names packs that are going; real git does without it. */
function removeIndexOfPacks(objectsDir: string): void {
  for (const name of namesIn(join(objectsDir, "pack")))
    if (name.startsWith("multi-pack-index")) rmSync(join(objectsDir, "pack", name), { recursive: true, force: true });
}

/** What a gc that was killed left: whoever holds the lock is alone. */
function sweepKilled(gitDir: string): void {
  const objectsDir = join(gitDir, "objects");
  for (const name of namesIn(objectsDir))
    if (name.startsWith(MAINTENANCE_PREFIX)) rmSync(join(objectsDir, name), { recursive: true, force: true });
  sweepReplacements(gitDir);
  sweepGraphs(gitDir);
}

/** A push that goes on is not so old, whatever may be dropped. */
const LIVE_SECONDS = 3600;
/** Between a pack and its index a writer takes no longer. */
const INDEX_SECONDS = 60;

/** What other writers that died left behind, when it is as old as objects that go. */
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

/** `objects/info/packs`, for clients of the dumb protocol, when there is one. */
function refreshPackList(gitDir: string): void {
  const path = join(gitDir, "objects", "info", "packs");
  if (!existsSync(path)) return;
  const packs = namesIn(join(gitDir, "objects", "pack")).filter((name) => name.endsWith(".pack"));
  writeFileSync(path, `${packs.map((name) => `P ${name}\n`).join("")}\n`);
}

/** git's own sign that a gc is at work: `gc.pid` with process and machine. One that says neither says nothing. */
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

/** Whether objects may be missing here: they are promised by a remote, or borrowed from another repository. */
function hasElsewhere(gitDir: string): boolean {
  const objectsDir = join(gitDir, "objects");
  return (
    alternatesOf(objectsDir).length > 0 || namesIn(join(objectsDir, "pack")).some((name) => name.endsWith(".promisor"))
  );
}
