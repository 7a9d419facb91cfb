import { lstatSync } from "node:fs";
import { join } from "node:path";
import { systemPath } from "../objects/names.ts";
import {
  dropLock,
  RefsLocked,
  readLooseRef,
  readLooseRefs,
  readPackedRefs,
  removeFile,
  removeLooseRef,
  replaceThroughLock,
  takeLock,
} from "./files.ts";
import { formatPackedRefs } from "./packed-refs.ts";
import type { Ref } from "./types.ts";

/** Per-worktree refs stay loose (git-worktree, "Refs"). */
const OF_ONE_TREE = /^refs\/(bisect|worktree|rewritten)\//;

/** Together, as long as git itself waits for the `packed-refs` lock (`core.packedRefsTimeout`). */
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 50;

/**
 * Moves all loose refs of a repository into `packed-refs`, as `git pack-refs --all --prune` does. Symbolic refs stay.
 * A loose ref is removed under its own lock, and only if it still has the value that was packed.
 * @param withPeeled fills in the target of an annotated tag
 * @throws RefsLocked when another process keeps holding the `packed-refs` lock
 */
export async function packRefs(
  repoDir: string,
  withPeeled: (ref: Ref) => Ref,
  isStored: (oid: string) => boolean,
): Promise<void> {
  const path = join(repoDir, "packed-refs");
  const lock = await lockPacked(path);
  let loose: { name: string; oid: string }[] = [];
  try {
    loose = readLooseRefs(repoDir).filter(({ name, oid }) => !OF_ONE_TREE.test(name) && isStored(oid));
  } catch (error) {
    dropLock(path, lock);
    throw error;
  }
  if (loose.length === 0) {
    dropLock(path, lock);
    return;
  }
  const refs = new Map<string, Ref>(readPackedRefs(repoDir).refs.map((ref) => [ref.name, ref]));
  for (const ref of loose) refs.set(ref.name, ref);
  replaceThroughLock(path, lock, formatPackedRefs([...refs.values()].map(withPeeled)));
  for (const { name, oid } of loose) removeIfUnchanged(repoDir, name, oid);
}

async function lockPacked(path: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof RefsLocked) || attempt === LOCK_TRIES) throw error;
      await Bun.sleep(LOCK_PAUSE_MS);
    }
  }
}

function removeIfUnchanged(repoDir: string, name: string, oid: string): void {
  const path = `${repoDir}/${name}`;
  if (lstatSync(systemPath(path), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  let lock: number;
  try {
    lock = takeLock(path);
  } catch (error) {
    if (error instanceof RefsLocked) return;
    throw error;
  }
  const isUnchanged = readLooseRef(repoDir, name) === oid;
  if (isUnchanged) removeFile(path);
  dropLock(path, lock);
  // Also removes directories that are empty now. The file is checked again in case the ref was rewritten meanwhile.
  if (isUnchanged && readLooseRef(repoDir, name) === undefined) removeLooseRef(repoDir, name);
}
