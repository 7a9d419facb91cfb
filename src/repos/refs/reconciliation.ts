import { operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import { GitError } from "../../git/errors.ts";
import { sweepQuarantines } from "../../git/receive/quarantine.ts";
import { findFolderEdits } from "../../git/refs/folder-edits.ts";
import { isRefName, refNameOf, withTextNames } from "../../git/refs/names.ts";
import { packedTimeOf, projectionStamp } from "../../git/refs/projection.ts";
import type { RefChange } from "../../git/refs/types.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { isUnreadable } from "../../kernel/disk.ts";
import type { Log } from "../../kernel/log.ts";
import type { RepoStorage } from "../storage.ts";
import type { Projections } from "./projections.ts";
import type { RefService } from "./service.ts";
import * as store from "./store.ts";

/** Handles what happened in the folders while the server was down: interrupted pushes, and edits by real git. */
export class FolderReconciliation {
  constructor(
    private readonly db: Database,
    private readonly refs: Pick<RefService, "change">,
    private readonly projections: Projections,
    private readonly storage: RepoStorage,
    private readonly log: Log,
    private readonly crash: CrashPoint,
  ) {}

  /**
   * At start: removes leftovers of interrupted pushes, writes lagging projections, and imports changes made by real
   * git.
   */
  run(): void {
    const due = new Set(store.projectionsDue(this.db));
    this.projections.heldBack(() => {
      for (const { folderId, mark } of store.projectionMarks(this.db)) {
        try {
          this.storage.requireThere(folderId);
          sweepQuarantines(this.storage.dirOf(folderId));
          this.crash("reconcile.swept-one");
          if (due.has(folderId) || (mark !== "" && projectionStamp(this.storage.dirOf(folderId)) !== mark))
            this.import(folderId, mark);
        } catch (error) {
          // The other repositories are still served.
          if (!(error instanceof GitError || isUnreadable(error))) throw error;
          this.log.error("the folder of a repository cannot be used", { folder: folderId, error });
        }
      }
    });
    this.projections.settle();
  }

  /**
   * Imports what real git changed in the folder since it was last written, as a push by the operator; then writes the
   * folder from the database. A ref that has moved here meanwhile is left alone.
   */
  private import(folderId: number, mark: string): void {
    const dir = this.storage.dirOf(folderId);
    const version = store.refsVersion(this.db, folderId) ?? 0;
    const stored = new Map(store.listRefs(this.db, folderId).map((ref) => [ref.name, ref.oid]));
    const unwritten = store.unwrittenRefs(this.db, folderId);
    const written = new Map(stored);
    for (const { name, writtenOid } of unwritten)
      if (writtenOid === null) written.delete(name);
      else written.set(name, writtenOid);
    const { changes, damage } = findFolderEdits(dir, {
      refs: [...written].map(([name, oid]) => ({ name: refNameOf(name), oid })),
      version,
      writtenAtNs: packedTimeOf(mark),
    });
    // After an interrupted push the folder shows an older state, which is no damage.
    if (damage !== undefined && unwritten.length === 0)
      this.log.warn("packed-refs in the repository's folder was not believed and is written again", {
        folder: folderId,
        "packed-refs": damage,
      });
    const objects = this.storage.objects(folderId);
    const [accepted, refused] = [[] as RefChange[], [] as string[]];
    for (const change of withTextNames(changes)) {
      const present = stored.get(change.name) ?? null;
      if (present === change.newOid) continue;
      const isSound = present === change.oldOid && (change.newOid === null || objects.has(change.newOid));
      if (isSound && isRefName(refNameOf(change.name))) accepted.push(change);
      else refused.push(change.name);
    }
    if (refused.length > 0)
      this.log.warn("refs in the repository's folder were put back", { folder: folderId, refs: refused.length });
    if (accepted.length > 0) {
      this.log.info("refs were changed in the repository's folder; taken in", {
        folder: folderId,
        refs: accepted.length,
      });
      // Deletions first: a new ref may need the place of a deleted one (`a/b` where `a` was).
      const changes = accepted.sort((a, b) => Number(a.newOid !== null) - Number(b.newOid !== null));
      this.refs.change(folderId, { principal: operator, changes, atomic: false });
    }
    this.projections.write(folderId, { breakLocks: true });
  }
}
