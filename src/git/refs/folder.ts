import { join } from "node:path";
import { GitError } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import { findRefConflicts } from "./conflicts.ts";
import {
  dropLock,
  fileStamp,
  makeDirectoryAbove,
  RefsLocked,
  readHead,
  readLooseRef,
  readPackedRefs,
  removeEmptyDirectories,
  removeLooseRef,
  replaceThroughLock,
  takeLock,
} from "./files.ts";
import { compareRefNames, isRefName } from "./names.ts";
import { formatPackedRefs } from "./packed-refs.ts";
import { readProjection } from "./projection.ts";
import type { Ref, RefChange, RefResult, RefStore } from "./types.ts";

/** Peels an annotated tag to its final target; undefined for every other object. */
export type Peel = (oid: Oid) => Oid | undefined;

/**
 * Refs stored as git stores them: loose files over `packed-refs`, each changed under its lock file. Can share a
 * directory with real git at any time. Not for many writers: a change that finds a lock taken fails at once.
 */
export class FolderRefs implements RefStore {
  /** `packed-refs` as last read; resolving a revision looks in it several times. */
  private packed: { readonly mark: string; readonly refs: ReadonlyMap<string, Ref> } | undefined;

  constructor(
    private readonly repoDir: string,
    private readonly peel: Peel = () => undefined,
  ) {}

  list(prefix = ""): Ref[] {
    return readProjection(this.repoDir)
      .refs.filter((ref) => ref.name.startsWith(prefix))
      .map((ref) => this.withPeeled(ref));
  }

  resolve(name: string): Ref | undefined {
    if (!isRefName(name)) return undefined;
    const loose = readLooseRef(this.repoDir, name);
    const ref = loose ? { name, oid: loose } : this.packedRefs().get(name);
    return ref && this.withPeeled(ref);
  }

  private packedRefs(): ReadonlyMap<string, Ref> {
    // Taken before reading, so that a replacement in between is noticed the next time.
    const mark = fileStamp(join(this.repoDir, "packed-refs"));
    if (this.packed?.mark !== mark) {
      const { refs } = readPackedRefs(this.repoDir);
      // If a name occurs twice, which git never writes, the first wins.
      this.packed = { mark, refs: new Map(refs.toReversed().map((ref) => [ref.name, ref])) };
    }
    return this.packed.refs;
  }

  /** @throws GitError when HEAD is detached or unreadable */
  head(): string {
    const head = readHead(this.repoDir);
    if (!head || !("ref" in head)) throw new GitError("HEAD names no ref");
    return head.ref;
  }

  update(changes: readonly RefChange[], options: { readonly atomic: boolean }): RefResult[] {
    const now = new Map(this.list().map((ref) => [ref.name, ref.oid]));
    const conflicts = findRefConflicts([...now.keys()].sort(compareRefNames), changes);
    const seen = new Set<string>();
    const results = changes.map((change): RefResult => {
      const refuse = (reason: string): RefResult => ({ name: change.name, ok: false, reason });
      if (!isRefName(change.name) || !change.name.startsWith("refs/")) return refuse("funny refname");
      if (seen.has(change.name)) return refuse("multiple updates for ref not allowed");
      seen.add(change.name);
      const current = now.get(change.name) ?? null;
      // As in git, deleting a missing ref without an expected value succeeds.
      const agreed = current === change.oldOid && !conflicts.has(change.name);
      return agreed ? { name: change.name, ok: true } : refuse("failed to update ref");
    });
    if (options.atomic && results.some((result) => !result.ok))
      return results.map((result) =>
        result.ok ? { name: result.name, ok: false, reason: "atomic transaction failed" } : result,
      );
    // Deletions first: a new ref may need the path of a deleted one (`a/b` where `a` was).
    const order = changes
      .map((_, at) => at)
      .sort((a, b) => +(changes[a]!.newOid !== null) - +(changes[b]!.newOid !== null));
    for (const at of order) if (results[at]!.ok) results[at] = this.apply(changes[at]!);
    return results;
  }

  private apply(change: RefChange): RefResult {
    try {
      const done = change.newOid === null ? this.remove(change) : this.write(change, change.newOid);
      if (done) return { name: change.name, ok: true };
    } catch (error) {
      if (!(error instanceof RefsLocked)) throw error;
    }
    return { name: change.name, ok: false, reason: "failed to update ref" };
  }

  /** Returns false when the ref no longer has the value the change expects. */
  private write({ name, oldOid }: RefChange, oid: Oid): boolean {
    const path = `${this.repoDir}/${name}`;
    removeEmptyDirectories(path);
    makeDirectoryAbove(path);
    const lock = takeLock(path);
    if ((this.resolve(name)?.oid ?? null) !== oldOid) {
      dropLock(path, lock);
      return false;
    }
    replaceThroughLock(path, lock, `${oid}\n`);
    return true;
  }

  /** Returns false when the ref no longer has the value the change expects. */
  private remove({ name, oldOid }: RefChange): boolean {
    const path = join(this.repoDir, "packed-refs");
    const lock = takeLock(path);
    if ((this.resolve(name)?.oid ?? null) !== oldOid) {
      dropLock(path, lock);
      return false;
    }
    const { refs } = readPackedRefs(this.repoDir);
    if (refs.some((ref) => ref.name === name)) {
      const rest = refs.filter((ref) => ref.name !== name).map((ref) => this.withPeeled(ref));
      replaceThroughLock(path, lock, formatPackedRefs(rest));
    } else dropLock(path, lock);
    removeLooseRef(this.repoDir, name);
    return true;
  }

  private withPeeled(ref: Ref): Ref {
    if (ref.peeled) return ref;
    const peeled = this.peel(ref.oid);
    return peeled ? { ...ref, peeled } : ref;
  }
}
