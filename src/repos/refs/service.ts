import { operator, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { Oid } from "../../git/objects/types.ts";
import { sweepQuarantines } from "../../git/receive/quarantine.ts";
import { findFolderEdits } from "../../git/refs/folder-edits.ts";
import { isRefName, refNameOf, refNameText, withByteNames, withTextNames } from "../../git/refs/names.ts";
import { packedTimeOf, projectionStamp, writeProjection } from "../../git/refs/projection.ts";
import type { Ref, RefChange, RefResult, RefStore } from "../../git/refs/types.ts";
import { RefSnapshot } from "../../git/transport/ref-snapshot.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import type { Log } from "../../kernel/log.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { RefMove } from "../events.ts";
import { findFolder, setDefaultBranch, setFilled } from "../folders/store.ts";
import { folderUnits, type GitFolder } from "../folders/types.ts";
import type { RepoStorage } from "../storage.ts";
import { ownerOf, updateRepo } from "../store.ts";
import type { CommittedRefs } from "./committed.ts";
import { HIDDEN_REFS, isHiddenRef } from "./hidden.ts";
import * as store from "./store.ts";

const MARK_DELAY_MS = 1_000;
const RETRY_MS = 5_000;
/** So many refs are worth remembering: reading and framing one costs a microsecond. */
const MANY_REFS = 500;
/** A ref with its packet. */
const REF_BYTES = 300;
/** What finding out where a tag leads may cost: a change of refs cannot wait for a worker. */
const PEELED_BYTES = 64 * 2 ** 20;

export interface ChangeRefs {
  readonly principal: Principal;
  readonly changes: readonly RefChange[];
  readonly atomic: boolean;
  /** Further effects that must be true together with the refs; runs inside the transaction, after they changed. */
  readonly alongside?: () => void;
  /** The repository is made with them: no one pushed them. */
  readonly isFirst?: true;
}

/** A git folder, or a repository for that of its code. */
export type NamedHead = Pick<GitFolder, "id" | "defaultBranch">;

/** Refs of the server's own that follow others: what else changes with these moves of a folder. */
export type RefFollower = (folderId: number, moves: readonly RefMove[]) => readonly RefChange[];

/** Refs live in the database: this is the one commit point of every push and edit. */
export class RefService {
  private readonly followers: RefFollower[] = [];
  private readonly written = new Set<number>();
  /** All refs of repositories that have many, as they were in a version. */
  private readonly remembered: Cache<number, { readonly version: number; readonly refs: RefSnapshot }>;
  /** Snapshots without hidden refs, by the whole ones. */
  private readonly visibleOf = new WeakMap<RefSnapshot, RefSnapshot>();
  /** Repositories whose projection could not be written. */
  private readonly lagging = new Set<number>();
  /** Folders that are being written; `again`: something has changed since that was begun. */
  private readonly projecting = new Map<number, { again: boolean; done: Promise<void> }>();
  private isClosed = false;
  /** Meanwhile folders are written here, at the end of each repository's turn. */
  private isReconciling = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly crash: CrashPoint,
    caches: CacheBudget,
  ) {
    this.remembered = caches.cache(({ refs }) => refs.refs.length * REF_BYTES);
  }

  /** An area whose refs change in the transaction, and with the event, of others; added while areas are wired. */
  addFollower(follower: RefFollower): void {
    this.followers.push(follower);
  }

  /** Names are text, here and wherever else it is not said (`refNameText`). */
  list(folderId: number, prefix = ""): Ref[] {
    if (this.db.isInTransaction) return store.listRefs(this.db, folderId, prefix);
    if (prefix === "") return withTextNames(this.snapshot(folderId).refs);
    const known = this.rememberedOf(folderId);
    return known ? withTextNames(known.below([refNameOf(prefix)])) : store.listRefs(this.db, folderId, prefix);
  }

  /**
   * All refs as they are now, with names as the engine has them. A fetch lists them twice, and again for the next commit: rows by the thousand are read
   * once for each version. Not for use inside a transaction, which may yet take back what it changed.
   */
  snapshot(folderId: number): RefSnapshot {
    const known = this.rememberedOf(folderId);
    if (known) return known;
    const version = store.refsVersion(this.db, folderId);
    const refs = new RefSnapshot(withByteNames(store.listRefs(this.db, folderId)));
    if (version !== undefined && refs.refs.length >= MANY_REFS) this.remembered.set(folderId, { version, refs });
    return refs;
  }

  /** The same without hidden refs: what clients may see. */
  visible(folderId: number): RefSnapshot {
    const all = this.snapshot(folderId);
    const hidden = all.below([HIDDEN_REFS]);
    if (hidden.length === 0) return all;
    const known = this.visibleOf.get(all);
    if (known) return known;
    const visible = all.with(new Map(hidden.map(({ name }) => [name, undefined])));
    this.visibleOf.set(all, visible);
    return visible;
  }

  /** What the refs are by now, as a number that rises; undefined without such a folder. */
  version(folderId: number): number | undefined {
    return store.refsVersion(this.db, folderId);
  }

  private rememberedOf(folderId: number): RefSnapshot | undefined {
    const known = this.remembered.get(folderId);
    return known && known.version === store.refsVersion(this.db, folderId) ? known.refs : undefined;
  }

  /** The same for a worker, which reads them itself (`readCommittedRefs`). */
  committed(folderId: number, prefix: string): CommittedRefs {
    return { databasePath: this.db.path, folderId, prefix };
  }

  find(folderId: number, name: string): Ref | undefined {
    return store.findRef(this.db, folderId, name);
  }

  /** The account that moved a ref last, as far as the log says. */
  lastMover(folderId: number, name: string): number | undefined {
    return store.lastMoverOf(this.db, folderId, name);
  }

  /** Every id that a ref had since then (milliseconds since 1970), or had until then. */
  recentOids(folderId: number, since: number): Oid[] {
    return store.loggedOids(this.db, folderId, since);
  }

  /** Refs that were deleted last, the newest first. */
  deletions(folderId: number, limit: number): store.DeletionRow[] {
    return store.lastDeletions(this.db, folderId, limit);
  }

  /** One of them by its number. */
  deletion(folderId: number, id: number): store.DeletionRow | undefined {
    return store.findDeletion(this.db, folderId, id);
  }

  /** Removes lines of the log from before that time (milliseconds since 1970), at most so many. @returns how many */
  pruneLog(before: number, limit: number): number {
    return store.deleteLogBefore(this.db, before, limit);
  }

  private namedByBytes(ref: Ref | undefined): Ref | undefined {
    return ref && { ...ref, name: refNameOf(ref.name) };
  }

  count(folderId: number, prefix: string): number {
    return store.countRefs(this.db, folderId, prefix);
  }

  page(folderId: number, prefix: string, part: string, paging: Paging): Slice<Ref> {
    return store.pageOfRefs(this.db, folderId, prefix, part, paging.limit, paging.offset);
  }

  /** The ref that HEAD names now, whether it exists or not. */
  headOf(folder: NamedHead): string {
    return `refs/heads/${store.defaultBranchOf(this.db, folder.id) ?? folder.defaultBranch}`;
  }

  /** The refs as the engine reads them, without hidden ones; it finds one by either form of its name. */
  readerOf(folder: NamedHead): Omit<RefStore, "update"> {
    return {
      list: (prefix = "") =>
        prefix === ""
          ? [...this.visible(folder.id).refs]
          : withByteNames(this.list(folder.id, refNameText(prefix))).filter(({ name }) => !isHiddenRef(name)),
      resolve: (name) => (isHiddenRef(name) ? undefined : this.namedByBytes(this.find(folder.id, refNameText(name)))),
      head: () => refNameOf(this.headOf(folder)),
    };
  }

  /**
   * Compare-and-swap of many refs, the reflog, the repository's state and the event, in one transaction; then the
   * projection on disk. The objects must be durable already. Names have been checked by the caller.
   * @returns a result for each change in their order; with `atomic` one refusal refuses all
   */
  change(folderId: number, request: ChangeRefs): RefResult[] {
    this.crash("refs.before-transaction");
    let results: RefResult[] = [];
    try {
      this.db.transaction(() => {
        const { followed, ...applied } = this.apply(folderId, request);
        results = applied.results;
        if (request.atomic && results.some((result) => !result.ok)) throw new AtomicRefused();
        this.crash("refs.in-transaction");
        if (results.some((result) => result.ok))
          this.db.onCommit(() => {
            this.crash("refs.after-transaction");
            const names = request.changes.filter((_, at) => results[at]?.ok).map(({ name }) => name);
            this.forwardSnapshot(folderId, [...names, ...followed]);
            this.projectSoon(folderId);
          });
      });
    } catch (error) {
      if (!(error instanceof AtomicRefused)) throw error;
      return results.map((result) =>
        result.ok ? { name: result.name, ok: false, reason: "atomic transaction failed" } : result,
      );
    }
    return results;
  }

  /**
   * Gives a new folder its first refs: those another one had at some moment. Their objects must be durable already. In a
   * transaction, with whatever makes the folder exist; no event tells of them.
   */
  fill(folderId: number, refs: readonly Ref[]): void {
    store.insertRefs(this.db, folderId, refs);
    store.raiseRefsVersion(this.db, folderId);
    if (refs.some(({ name }) => name.startsWith("refs/heads/"))) setFilled(this.db, folderId);
    this.projectAfterCommit(folderId);
  }

  /** The refs as they were, with what changed: reading thousands of rows again for each push costs more than the push. */
  private forwardSnapshot(folderId: number, names: readonly string[]): void {
    const known = this.remembered.get(folderId);
    const version = store.refsVersion(this.db, folderId);
    if (!known || version !== known.version + 1) return;
    const now = new Map(names.map((name) => [refNameOf(name), this.namedByBytes(this.find(folderId, name))]));
    this.remembered.set(folderId, { version, refs: known.refs.with(now) });
  }

  /** Has the folder show what the database says, away from this thread; changes that come meanwhile are written at once. */
  private projectSoon(folderId: number): void {
    if (this.isReconciling || this.isClosed) return;
    this.written.delete(folderId);
    const under = this.projecting.get(folderId);
    if (under) {
      under.again = true;
      return;
    }
    const work = { again: false, done: Promise.resolve() };
    this.projecting.set(folderId, work);
    work.done = this.projectElsewhere(folderId, work);
  }

  private async projectElsewhere(folderId: number, work: { again: boolean }): Promise<void> {
    try {
      do {
        work.again = false;
        const input = { databasePath: this.db.path, folderId, repoDir: this.storage.dirOf(folderId) };
        await this.pool.run("refs.project", input, { lane: "writes" });
      } while (work.again);
      this.crash("refs.after-projection");
      this.noteWritten(folderId);
    } catch (error) {
      this.noteLagging(folderId, error);
    } finally {
      this.projecting.delete(folderId);
    }
  }

  /** Resolves once the folders show all changes so far, or could not be made to. */
  async projected(): Promise<void> {
    await Promise.all([...this.projecting.values()].map(({ done }) => done));
  }

  /** Writes HEAD and packed-refs of the repository's folder from the database, here and now. */
  project(folderId: number, options: { breakLocks?: boolean } = {}): void {
    try {
      const folder = findFolder(this.db, folderId);
      if (!folder) return;
      writeProjection(
        this.storage.dirOf(folderId),
        {
          head: refNameOf(`refs/heads/${folder.defaultBranch}`),
          refs: withByteNames(this.list(folderId)),
          version: folder.refsVersion,
        },
        { ...options, crashPoint: this.crash },
      );
    } catch (error) {
      this.noteLagging(folderId, error);
      return;
    }
    this.noteWritten(folderId);
  }

  /** The row in projections_due stays: the next change, try or start writes it. */
  private noteLagging(folderId: number, error: unknown): void {
    // It was deleted meanwhile, with its folder.
    if (this.isClosed || !findFolder(this.db, folderId)) return;
    this.written.delete(folderId);
    this.lagging.add(folderId);
    this.retry ??= setTimeout(() => this.projectLagging(), RETRY_MS);
    this.retry.unref?.();
    this.storage.noteFailure(error);
    this.log.warn("the refs could not be written to the repository's folder", { folder: folderId, error });
  }

  private noteWritten(folderId: number): void {
    this.lagging.delete(folderId);
    this.written.add(folderId);
    this.timer ??= setTimeout(() => this.settle(), MARK_DELAY_MS);
  }

  /** Writes the projections that could not be written: the disk was full, or real git held a lock. */
  private projectLagging(): void {
    this.retry = undefined;
    for (const folderId of [...this.lagging]) {
      this.lagging.delete(folderId);
      this.projectSoon(folderId);
    }
  }

  /** Writes the projection once the running transaction is committed. */
  projectAfterCommit(folderId: number): void {
    store.markProjectionDue(this.db, folderId);
    this.db.onCommit(() => this.projectSoon(folderId));
  }

  /** When the server stops: nothing is tried again, which the next start does. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.settle();
  }

  /** Records that projections are written; losing this only means writing them once more. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      this.recordWritten();
    } catch (error) {
      this.log.warn("it could not be recorded that refs were written to their folders", { error });
    }
  }

  private recordWritten(): void {
    const done = [...this.written];
    this.written.clear();
    if (done.length === 0) return;
    this.db.transaction(() => {
      store.clearProjectionDue(this.db, done);
      for (const folderId of done)
        store.setProjectionMark(this.db, folderId, projectionStamp(this.storage.dirOf(folderId)));
      this.crash("settle.in-transaction");
    });
  }

  /** At start: takes away what broken-off pushes left, writes what lags, and takes in what real git changed in a folder while we were away. */
  reconcile(): void {
    const due = new Set(store.projectionsDue(this.db));
    this.isReconciling = true;
    for (const { folderId, mark } of store.projectionMarks(this.db)) {
      sweepQuarantines(this.storage.dirOf(folderId));
      this.crash("reconcile.swept-one");
      if (due.has(folderId) || (mark !== "" && projectionStamp(this.storage.dirOf(folderId)) !== mark))
        this.importExternalRefs(folderId, mark);
    }
    this.isReconciling = false;
    this.settle();
  }

  /**
   * What real git changed in the folder since it was last written, as a push by the operator; then the folder is made
   * to show what the database has. A ref that has moved here meanwhile stays as it is.
   */
  private importExternalRefs(folderId: number, mark: string): void {
    const dir = this.storage.dirOf(folderId);
    const version = store.refsVersion(this.db, folderId) ?? 0;
    const known = new Map(this.list(folderId).map((ref) => [ref.name, ref.oid]));
    const unwritten = store.unwrittenRefs(this.db, folderId);
    const written = new Map(known);
    for (const { name, writtenOid } of unwritten)
      if (writtenOid === null) written.delete(name);
      else written.set(name, writtenOid);
    const { changes, damage } = findFolderEdits(dir, {
      refs: [...written].map(([name, oid]) => ({ name: refNameOf(name), oid })),
      version,
      writtenAtNs: packedTimeOf(mark),
    });
    // Of a push that was broken off the folder shows an older state, and nothing is wrong with it.
    if (damage !== undefined && unwritten.length === 0)
      this.log.warn("packed-refs in the repository's folder was not believed and is written again", {
        folder: folderId,
        "packed-refs": damage,
      });
    const objects = this.storage.objects(folderId);
    const [accepted, refused] = [[] as RefChange[], [] as string[]];
    for (const change of withTextNames(changes)) {
      const present = known.get(change.name) ?? null;
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
      this.change(folderId, { principal: operator, changes, atomic: false });
    }
    this.project(folderId, { breakLocks: true });
  }

  /** @returns a result for each change, and the names of the refs that followed */
  private apply(
    folderId: number,
    { principal, changes, alongside, isFirst }: ChangeRefs,
  ): { results: RefResult[]; followed: string[] } {
    const now = this.clock();
    const moves: RefMove[] = [];
    const results = changes.map((change): RefResult => {
      const reason = this.applyOne(folderId, change, principal.user?.id ?? null, now);
      if (reason !== undefined) return { name: change.name, ok: false, reason };
      if (change.oldOid !== null || change.newOid !== null) moves.push(change);
      return { name: change.name, ok: true };
    });
    const followed: string[] = [];
    for (const change of this.followers.flatMap((follower) => follower(folderId, moves))) {
      if (this.applyOne(folderId, change, principal.user?.id ?? null, now) !== undefined) continue;
      moves.push(change);
      followed.push(change.name);
    }
    if (moves.length > 0) {
      store.raiseRefsVersion(this.db, folderId);
      store.markProjectionDue(this.db, folderId);
      this.tell(folderId, principal, { moves, ...(isFirst ? { isFirst } : {}) }, now);
    }
    alongside?.();
    return { results, followed };
  }

  private applyOne(folderId: number, change: RefChange, actorId: number | null, now: number): string | undefined {
    const present = store.findRef(this.db, folderId, change.name);
    if (change.newOid === null && present === undefined) return undefined;
    if ((present?.oid ?? null) !== change.oldOid) return "failed to update ref";
    if (change.newOid === null) store.deleteRef(this.db, folderId, change.name);
    else {
      if (!present && store.conflictingRef(this.db, folderId, change.name) !== undefined) return "failed to update ref";
      const peeled = this.peel(folderId, change.newOid);
      store.putRef(
        this.db,
        folderId,
        peeled === undefined
          ? { name: change.name, oid: change.newOid }
          : { name: change.name, oid: change.newOid, peeled },
      );
    }
    store.noteUnwritten(this.db, folderId, change.name, present?.oid ?? null);
    store.logRefChange(this.db, folderId, change.name, change.oldOid, change.newOid, actorId, now);
    return undefined;
  }

  /** The event, and what follows from the moves for the folder and its repository. In the transaction. */
  private tell(
    folderId: number,
    principal: Principal,
    changed: { readonly moves: RefMove[]; readonly isFirst?: true },
    now: number,
  ): void {
    const folder = findFolder(this.db, folderId);
    if (!folder) return;
    this.followDefaultBranch(folder);
    const { repoId, kind } = folder;
    updateRepo(this.db, repoId, kind === "code" ? { pushedAt: now } : {}, now);
    const ownerId = ownerOf(this.db, repoId);
    const context = {
      repoId,
      ...(ownerId === undefined ? {} : { ownerId }),
      unit: folderUnits[kind],
      principal: storedPrincipal(principal),
    };
    if (kind === "code") this.outbox.append("refs.changed", context, changed);
    else this.outbox.append("folder.refs-changed", context, { folderId, kind, moves: changed.moves });
  }

  /** The first branch of an empty folder becomes its default: the configured name, else main, master, or the first. */
  private followDefaultBranch({ id, isEmpty, defaultBranch }: GitFolder): void {
    const heads = isEmpty ? store.listRefs(this.db, id, "refs/heads/") : [];
    const branches = heads.map((ref) => ref.name.slice("refs/heads/".length));
    const [first] = branches;
    if (first === undefined) return;
    setFilled(this.db, id);
    if (!branches.includes(defaultBranch))
      setDefaultBranch(this.db, id, ["main", "master"].find((name) => branches.includes(name)) ?? first);
  }

  private peel(folderId: number, oid: Oid): Oid | undefined {
    const objects = this.storage.objects(folderId);
    return objects.metered(PEELED_BYTES, () => {
      let at = oid;
      for (let depth = 0; depth < 100 && objects.header(at)?.type === "tag"; depth++) {
        const tag = objects.read(at);
        if (!tag) break;
        at = parseTag(tag.data).object;
      }
      return at === oid ? undefined : at;
    });
  }
}

/** Rolls the transaction back; never leaves this file. */
class AtomicRefused extends Error {}
