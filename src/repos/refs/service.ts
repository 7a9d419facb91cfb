import type { Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES, refNameOf, refNameText, withByteNames, withTextNames } from "../../git/refs/names.ts";
import type { Ref, RefChange, RefResult, RefStore } from "../../git/refs/types.ts";
import type { RefSnapshot } from "../../git/transport/ref-snapshot.ts";
import type { CacheBudget } from "../../kernel/cache.ts";
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
import { isHiddenRef } from "./hidden.ts";
import { Projections } from "./projections.ts";
import { FolderReconciliation } from "./reconciliation.ts";
import { RefSnapshots } from "./snapshots.ts";
import * as store from "./store.ts";

/** Max bytes read to peel tags: a ref change cannot wait for a worker. */
const PEELED_BYTES = 64 * 2 ** 20;
/** With more refs than this, or larger tags, peeling is done in a worker before the change. */
const FEW_CHANGES = 20;
const SMALL_TAG_BYTES = 16 * 1024;

export interface ChangeRefs {
  readonly principal: Principal;
  readonly changes: readonly RefChange[];
  readonly atomic: boolean;
  /** The repository starts with these refs: the event reports them as part of its creation. */
  readonly isInitial?: boolean;
  /** These refs come from a mirror sync. */
  readonly isMirrored?: boolean;
  /** What tags among the new objects peel to, as far as already known (`targetsOf`). */
  readonly targets?: ReadonlyMap<Oid, Oid>;
  /** Further effects that must be committed together with the refs; runs inside the transaction, after they changed. */
  readonly alongside?: () => void;
}

/** A git folder, or a repository standing for its code folder. */
export type NamedHead = Pick<GitFolder, "id" | "defaultBranch">;

/** Server-owned refs that follow others: the further changes that result from these moves in a folder. */
export type RefFollower = (folderId: number, moves: readonly RefMove[]) => readonly RefChange[];

/** Refs live in the database: this is the single commit point of every push and edit. */
export class RefService {
  private readonly followers: RefFollower[] = [];
  private readonly snapshots: RefSnapshots;
  private readonly projections: Projections;
  private readonly reconciliation: FolderReconciliation;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly clock: Clock,
    log: Log,
    private readonly crash: CrashPoint,
    caches: CacheBudget,
  ) {
    this.snapshots = new RefSnapshots(db, caches);
    this.projections = new Projections(db, storage, pool, log, crash);
    this.reconciliation = new FolderReconciliation(db, this, this.projections, storage, log, crash);
  }

  /** Registers refs that change along with others, in the same transaction and event; called while areas are wired. */
  addFollower(follower: RefFollower): void {
    this.followers.push(follower);
  }

  /** Names are decoded text, here and wherever not stated otherwise (`refNameText`). */
  list(folderId: number, prefix = ""): Ref[] {
    if (this.db.isInTransaction) return store.listRefs(this.db, folderId, prefix);
    if (prefix === "") return withTextNames(this.snapshots.all(folderId).refs);
    const cached = this.snapshots.cached(folderId);
    return cached ? withTextNames(cached.below([refNameOf(prefix)])) : store.listRefs(this.db, folderId, prefix);
  }

  /** All refs as they are now, with names in the engine's form; not inside a transaction (`RefSnapshots`). */
  snapshot(folderId: number): RefSnapshot {
    return this.snapshots.all(folderId);
  }

  /** The same without hidden refs: what clients may see. */
  visible(folderId: number): RefSnapshot {
    return this.snapshots.visible(folderId);
  }

  /** The targets of all refs, for workers (`RefSnapshot.tips`); not inside a transaction. */
  tips(folderId: number): string {
    return this.snapshots.all(folderId).tips;
  }

  /** Version of the folder's refs, which increases with every change; undefined if there is no such folder. */
  version(folderId: number): number | undefined {
    return store.refsVersion(this.db, folderId);
  }

  /** For a worker, which reads the refs itself (`readCommittedRefs`). */
  committed(folderId: number, prefix: string): CommittedRefs {
    return { databasePath: this.db.path, folderId, prefix };
  }

  find(folderId: number, name: string): Ref | undefined {
    return store.findRef(this.db, folderId, name);
  }

  /**
   * Looks up refs of several folders in one query.
   * @returns a function for the oid of each; undefined if there is no such ref
   */
  tipsAt(
    places: readonly (readonly [folderId: number, name: string])[],
  ): (folderId: number, name: string) => Oid | undefined {
    const keyOf = (folderId: number, name: string) => `${folderId} ${name}`;
    const wanted = new Map(places.map((place) => [keyOf(...place), place]));
    const found = wanted.size === 0 ? [] : store.findRefs(this.db, [...wanted.values()]);
    const oids = new Map(found.map(({ folderId, name, oid }) => [keyOf(folderId, name), oid]));
    return (folderId, name) => oids.get(keyOf(folderId, name));
  }

  /** The account that last moved a ref, as far as the log shows. */
  lastMover(folderId: number, name: string): number | undefined {
    return store.lastMoverOf(this.db, folderId, name);
  }

  /**
   * Branches that an account moved since that time (milliseconds since 1970), in all repositories, most recent first.
   */
  branchesMovedBy(userId: number, since: number, limit: number): store.MovedRow[] {
    return store.refsMovedBy(this.db, userId, since, BRANCHES, limit);
  }

  /** Every oid that a ref has had since that time (milliseconds since 1970), including the one it had then. */
  recentOids(folderId: number, since: number): Oid[] {
    return store.loggedOids(this.db, folderId, since);
  }

  /** Ref deletions, newest first. */
  deletions(folderId: number, limit: number): store.DeletionRow[] {
    return store.lastDeletions(this.db, folderId, limit);
  }

  /** One deletion by its id. */
  deletion(folderId: number, id: number): store.DeletionRow | undefined {
    return store.findDeletion(this.db, folderId, id);
  }

  /** Deletes up to `limit` log entries older than that time (milliseconds since 1970). @returns how many */
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

  /** The ref HEAD points to now, whether or not it exists. */
  headOf(folder: NamedHead): string {
    return `refs/heads/${store.defaultBranchOf(this.db, folder.id) ?? folder.defaultBranch}`;
  }

  /** A ref reader for the engine, without hidden refs; `resolve` accepts names in either form. */
  readerOf(folder: NamedHead): Omit<RefStore, "update"> {
    return {
      list: (prefix = "") =>
        prefix === ""
          ? [...this.snapshots.visible(folder.id).refs]
          : withByteNames(this.list(folder.id, refNameText(prefix))).filter(({ name }) => !isHiddenRef(name)),
      resolve: (name) => (isHiddenRef(name) ? undefined : this.namedByBytes(this.find(folder.id, refNameText(name)))),
      head: () => refNameOf(this.headOf(folder)),
    };
  }

  /**
   * Compare-and-swap of many refs, the reflog, the repository's state and the event, in one transaction; then the
   * on-disk projection. The objects must already be durable, and the caller must have checked the names.
   * @returns a result per change, in order; with `atomic` one refusal refuses all
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
            this.snapshots.forward(folderId, [...names, ...followed]);
            this.projections.soon(folderId);
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
   * Gives a new folder its first refs, a copy of another folder's. Their objects must already be durable. Runs in the
   * transaction that creates the folder and emits no event.
   */
  fill(folderId: number, refs: readonly Ref[]): void {
    store.insertRefs(this.db, folderId, refs);
    store.raiseRefsVersion(this.db, folderId);
    if (refs.some(({ name }) => name.startsWith("refs/heads/"))) setFilled(this.db, folderId);
    this.projections.afterCommit(folderId);
  }

  /** Resolves once the folders show all changes so far, or writing them has failed. */
  projected(): Promise<void> {
    return this.projections.written();
  }

  /** Writes HEAD and packed-refs of the folder from the database, synchronously. */
  project(folderId: number, options: { breakLocks?: boolean } = {}): void {
    this.projections.write(folderId, options);
  }

  /** Writes the projection once the running transaction is committed. */
  projectAfterCommit(folderId: number): void {
    this.projections.afterCommit(folderId);
  }

  /** Records which projections were written; losing this only means writing them again. */
  settle(): void {
    this.projections.settle();
  }

  /** On shutdown: stops retrying; the next start writes what is missing. */
  close(): void {
    this.projections.close();
  }

  /** At start: imports what happened in the folders meanwhile. */
  reconcile(): void {
    this.reconciliation.run();
  }

  /**
   * Peels tags that a change is about to introduce: reading thousands of them, or large ones, in its transaction would
   * block everyone. An oid determines the content, so the answer is still valid when the change is made.
   */
  async targetsOf(folderId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, Oid>> {
    const objects = this.storage.objects(folderId);
    const isLarge = (oid: Oid) => {
      const header = objects.header(oid);
      return header?.type === "tag" && header.sizeBytes > SMALL_TAG_BYTES;
    };
    if (oids.length <= FEW_CHANGES && !oids.some(isLarge)) return new Map();
    const input = { repoDir: this.storage.dirOf(folderId), oids };
    return new Map(await this.pool.run("refs.peel", input, { lane: "writes" }));
  }

  /** @returns a result per change, and the names of the refs that followed */
  private apply(
    folderId: number,
    { principal, changes, isInitial, isMirrored, targets, alongside }: ChangeRefs,
  ): { results: RefResult[]; followed: string[] } {
    const now = this.clock();
    const moves: RefMove[] = [];
    const results = changes.map((change): RefResult => {
      const reason = this.applyOne(folderId, change, principal.user?.id ?? null, now, targets);
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
      this.tell(folderId, principal, moves, now, {
        ...(isInitial ? { isInitial } : {}),
        ...(isMirrored ? { isMirrored } : {}),
      });
    }
    alongside?.();
    return { results, followed };
  }

  private applyOne(
    folderId: number,
    change: RefChange,
    actorId: number | null,
    now: number,
    targets?: ReadonlyMap<Oid, Oid>,
  ): string | undefined {
    const present = store.findRef(this.db, folderId, change.name);
    if (change.newOid === null && present === undefined) return undefined;
    if ((present?.oid ?? null) !== change.oldOid) return "failed to update ref";
    if (change.newOid === null) store.deleteRef(this.db, folderId, change.name);
    else {
      if (!present && store.conflictingRef(this.db, folderId, change.name) !== undefined) return "failed to update ref";
      const peeled = targets?.get(change.newOid) ?? this.peel(folderId, change.newOid);
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

  /** Emits the event and updates the folder and its repository after these moves. Runs in the transaction. */
  private tell(
    folderId: number,
    principal: Principal,
    moves: RefMove[],
    now: number,
    how: Pick<ChangeRefs, "isInitial" | "isMirrored">,
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
    if (kind === "code") this.outbox.append("refs.changed", context, { moves, ...how });
    else this.outbox.append("folder.refs-changed", context, { folderId, kind, moves });
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
