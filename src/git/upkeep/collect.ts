import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { GitError } from "../errors.ts";
import { RepositoryFolder } from "../folder.ts";
import { writeCommitGraph } from "../graph/writer.ts";
import { alternatesOf } from "../objects/alternates.ts";
import { packRefs } from "../refs/pack-refs.ts";
import { rootsOf } from "./folder-roots.ts";
import { AGGRESSIVE_EFFORT, type OnProgress } from "./make-pack.ts";
import { removeLoose, removePacks } from "./remove.ts";
import { type Repacked, repack } from "./repack.ts";

export interface CollectOptions {
  /** Objects nothing leads to that were written before this time (seconds since 1970) go; undefined: none. */
  readonly dropBefore?: number | undefined;
  /** Look for all deltas anew, and longer. */
  readonly aggressive?: boolean;
  /** Leave the largest pack as it is. */
  readonly keepLargest?: boolean;
  /** Do not mind another one at work. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** Another one is at work in the repository. */
export class AlreadyCollecting extends GitError {
  override name = "AlreadyCollecting";
}

/** Nobody collects for longer: a lock this old was left behind. */
const LONGEST_HOURS = 12;

/**
 * `git gc` for a folder repository: refs into `packed-refs`, objects into one pack, old ones that nothing leads to
 * away, the commit-graph written. Real git may work in the folder meanwhile, as beside its own gc. Packs with a
 * `.keep`, and those of a partial clone (`.promisor`), stay as they are.
 * @throws AlreadyCollecting RefsLocked CorruptObject
 */
export async function collect(repository: RepositoryFolder, options: CollectOptions = {}): Promise<Repacked> {
  const { commonDir } = repository;
  const lock = takeTurn(commonDir, options.force ?? false);
  try {
    packRefs(
      commonDir,
      (ref) => repository.withPeeled(ref),
      (oid) => repository.store.has(oid),
    );
    const roots = rootsOf(repository);
    const untouched = untouchedPacks(commonDir, options.keepLargest ?? false);
    const done = await repack(commonDir, {
      roots: roots.tips,
      alsoRoots: roots.mentioned,
      shallow: roots.shallow,
      partial: hasElsewhere(commonDir),
      untouched,
      ...(options.dropBefore === undefined ? {} : { dropBefore: options.dropBefore }),
      ...(options.aggressive ? { effort: AGGRESSIVE_EFFORT } : {}),
      withClosure: existsSync(join(commonDir, "objects", "info", "hearth")),
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    removeReplaced(commonDir, done);
    removeLeftovers(commonDir, options.dropBefore);
    refreshPackList(commonDir);
    if (roots.shallow.size === 0) await writeGraph(commonDir, options);
    return done;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Packs and loose files that the new packs replace. What was dropped goes with them. */
function removeReplaced(commonDir: string, done: Repacked): void {
  const objectsDir = join(commonDir, "objects");
  if (done.replacedPacks.length > 0) {
    // It names packs that are going; real git does without it.
    for (const name of namesIn(join(objectsDir, "pack")))
      if (name.startsWith("multi-pack-index")) rmSync(join(objectsDir, "pack", name), { recursive: true, force: true });
    removePacks(commonDir, done.replacedPacks);
  }
  removeLoose(commonDir, done.replacedLoose);
  for (const name of namesIn(objectsDir)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    try {
      rmdirSync(join(objectsDir, name));
    } catch {
      // Not empty.
    }
  }
}

/** What writers that died left behind, when it is as old as objects that go. */
function removeLeftovers(commonDir: string, dropBefore: number | undefined): void {
  if (dropBefore === undefined) return;
  const objectsDir = join(commonDir, "objects");
  const paths = [
    ...namesIn(objectsDir).map((name) => ({ name, path: join(objectsDir, name) })),
    ...namesIn(join(objectsDir, "pack")).map((name) => ({ name, path: join(objectsDir, "pack", name) })),
  ];
  for (const { name, path } of paths) {
    if (!/^\.?tmp[-_]/.test(name)) continue;
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (written / 1000 < dropBefore) rmSync(path, { recursive: true, force: true });
  }
}

async function writeGraph(commonDir: string, options: CollectOptions): Promise<void> {
  const repository = RepositoryFolder.find(commonDir);
  try {
    const tips = repository.refs.list().map((ref) => ref.peeled ?? ref.oid);
    await writeCommitGraph(commonDir, repository.store, tips, {
      scope: "reachable",
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } finally {
    repository.close();
  }
}

function untouchedPacks(commonDir: string, keepLargest: boolean): Set<string> {
  const packDir = join(commonDir, "objects", "pack");
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
function refreshPackList(commonDir: string): void {
  const path = join(commonDir, "objects", "info", "packs");
  if (!existsSync(path)) return;
  const packs = namesIn(join(commonDir, "objects", "pack")).filter((name) => name.endsWith(".pack"));
  writeFileSync(path, `${packs.map((name) => `P ${name}\n`).join("")}\n`);
}

/** git's own sign that a gc is at work: `gc.pid` with process and machine. */
function takeTurn(commonDir: string, force: boolean): string {
  const path = join(commonDir, "gc.pid");
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (!force && age < LONGEST_HOURS * 3_600_000) {
    const [pid = "", machine = ""] = readFileSync(path, "utf8").trim().split(" ");
    if (machine !== hostname() || isAlive(Number(pid)))
      throw new AlreadyCollecting(`gc is already running on machine '${machine}' pid ${pid} (use --force if not)`);
  }
  rmSync(path, { force: true });
  const fd = openFile(path, "wx");
  writeSync(fd, `${process.pid} ${hostname()}`);
  closeFile(fd);
  return path;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Whether objects may be missing here: they are promised by a remote, or borrowed from another repository. */
function hasElsewhere(commonDir: string): boolean {
  const objectsDir = join(commonDir, "objects");
  return (
    alternatesOf(objectsDir).length > 0 || namesIn(join(objectsDir, "pack")).some((name) => name.endsWith(".promisor"))
  );
}
