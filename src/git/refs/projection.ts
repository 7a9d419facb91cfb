import { join } from "node:path";
import {
  fileStamp,
  readHead,
  readLooseRefs,
  readPackedRefs,
  removeFile,
  removeLooseRef,
  replaceThroughLock,
  sweepReplacements,
  syncDirectory,
  takeLock,
} from "./files.ts";
import { compareRefNames } from "./names.ts";
import { formatPackedRefs } from "./packed-refs.ts";
import type { Ref } from "./types.ts";

/**
 * The refs of a repository as files, for real git to read: `HEAD` and one `packed-refs`, no loose refs.
 * The source of truth is the database; the files are written after each database commit and may be rewritten any time.
 */
export interface Projection {
  /** The ref HEAD names, whether it exists or not. */
  readonly head: string;
  readonly refs: readonly Ref[];
  /** Version of this state of the refs; `packed-refs` is sealed with it (packed-refs.ts). */
  readonly version?: number;
}

/**
 * Replaces `HEAD` and `packed-refs`, each through git's own lock file, fsynced and renamed, and then removes the loose
 * refs, all of which the new `packed-refs` supersedes. The order matters: a reader in between sees an old value, never
 * a missing ref.
 * `breakLocks` takes over lock files left behind by dead processes; only a start-up that owns the directory may set it.
 * @throws RefsLocked when another process is writing
 */
export function writeProjection(
  repoDir: string,
  projection: Projection,
  options: { readonly breakLocks?: boolean; readonly crashPoint?: (name: string) => void } = {},
): void {
  const packed = join(repoDir, "packed-refs");
  const head = join(repoDir, "HEAD");
  if (options.breakLocks) {
    removeFile(`${packed}.lock`);
    removeFile(`${head}.lock`);
    sweepReplacements(repoDir);
  }
  const lock = takeLock(packed);
  options.crashPoint?.("projection: locked");
  replaceThroughLock(packed, lock, formatPackedRefs(projection.refs, projection.version));
  options.crashPoint?.("projection: refs replaced");
  const named = readHead(repoDir);
  if (!named || !("ref" in named) || named.ref !== projection.head)
    replaceThroughLock(head, takeLock(head), `ref: ${projection.head}\n`);
  options.crashPoint?.("projection: head replaced");
  for (const loose of readLooseRefs(repoDir)) removeLooseRef(repoDir, loose.name);
  syncDirectory(join(repoDir, "refs"));
}

/**
 * Reads the directory's current state: loose refs win over packed ones. `head` is empty when HEAD names no ref.
 * `peeled` is known only for packed refs; a loose one written by real git has none.
 */
export function readProjection(repoDir: string): Projection {
  // In this order, so that a ref packed meanwhile is found in one of them.
  const loose = readLooseRefs(repoDir);
  const refs = new Map(readPackedRefs(repoDir).refs.map((ref) => [ref.name, ref]));
  for (const { name, oid } of loose) if (refs.get(name)?.oid !== oid) refs.set(name, { name, oid });
  const head = readHead(repoDir);
  return {
    head: head && "ref" in head ? head.ref : "",
    refs: [...refs.values()].sort((a, b) => compareRefNames(a.name, b.name)),
  };
}

/**
 * A cheap mark that changes when the directory's refs are rewritten: names, times and sizes of `HEAD`, `packed-refs`
 * and the loose refs' directories. Equal marks mean that nothing has changed, in all but contrived cases.
 */
export function projectionStamp(repoDir: string): string {
  return ["HEAD", "packed-refs", "refs", "refs/heads", "refs/tags"]
    .map((name) => fileStamp(join(repoDir, name)))
    .join(" ");
}

/** When the `packed-refs` of a mark was written, in nanoseconds since 1970; undefined when there was none. */
export function packedTimeOf(mark: string): bigint | undefined {
  const nanoseconds = mark.split(" ")[1]?.split(".")[1];
  return nanoseconds === undefined ? undefined : BigInt(nanoseconds);
}
