import { operator, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { Oid } from "../../git/objects/types.ts";
import { sweepQuarantines } from "../../git/receive/quarantine.ts";
import { projectionMark, readProjection, writeProjection } from "../../git/refs/projection.ts";
import type { Ref, RefChange, RefResult, RefStore } from "../../git/refs/types.ts";
import { RefSnapshot } from "../../git/transport/ref-snapshot.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import type { Log } from "../../kernel/log.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RefMove } from "../events.ts";
import type { RepoStorage } from "../storage.ts";
import { findRepoById, updateRepo } from "../store.ts";
import type { Repo } from "../types.ts";
import * as store from "./store.ts";

const MARK_DELAY_MS = 1_000;
const RETRY_MS = 5_000;
/** So many refs are worth remembering: reading and framing one costs a microsecond. */
const MANY_REFS = 500;
/** A ref with its packet. */
const REF_BYTES = 300;

export interface ChangeRefs {
  readonly principal: Principal;
  readonly changes: readonly RefChange[];
  readonly atomic: boolean;
  /** Further effects that must be true together with the refs; runs inside the transaction, after they changed. */
  readonly alongside?: () => void;
}

/** Refs live in the database: this is the one commit point of every push and edit. */
export class RefService {
  private readonly written = new Set<number>();
  /** All refs of repositories that have many, as they were in a version. */
  private readonly remembered: Cache<number, { readonly version: number; readonly refs: RefSnapshot }>;
  /** Repositories whose projection could not be written. */
  private readonly lagging = new Set<number>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly storage: RepoStorage,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly crash: CrashPoint,
    caches: CacheBudget,
  ) {
    this.remembered = caches.cache(({ refs }) => refs.refs.length * REF_BYTES);
  }

  list(repoId: number, prefix = ""): Ref[] {
    if (this.db.isInTransaction) return store.listRefs(this.db, repoId, prefix);
    if (prefix === "") return [...this.snapshot(repoId).refs];
    return this.rememberedOf(repoId)?.below([prefix]) ?? store.listRefs(this.db, repoId, prefix);
  }

  /**
   * All refs as they are now. A fetch lists them twice, and again for the next commit: rows by the thousand are read
   * once for each version. Not for use inside a transaction, which may yet take back what it changed.
   */
  snapshot(repoId: number): RefSnapshot {
    const known = this.rememberedOf(repoId);
    if (known) return known;
    const version = store.refsVersion(this.db, repoId);
    const refs = new RefSnapshot(store.listRefs(this.db, repoId));
    if (version !== undefined && refs.refs.length >= MANY_REFS) this.remembered.set(repoId, { version, refs });
    return refs;
  }

  private rememberedOf(repoId: number): RefSnapshot | undefined {
    const known = this.remembered.get(repoId);
    return known && known.version === store.refsVersion(this.db, repoId) ? known.refs : undefined;
  }

  find(repoId: number, name: string): Ref | undefined {
    return store.findRef(this.db, repoId, name);
  }

  /** Every id that a ref had since then (milliseconds since 1970), or had until then. */
  recentOids(repoId: number, since: number): Oid[] {
    return store.loggedOids(this.db, repoId, since);
  }

  /** Removes lines of the log from before that time (milliseconds since 1970), at most so many. @returns how many */
  pruneLog(before: number, limit: number): number {
    return store.deleteLogBefore(this.db, before, limit);
  }

  count(repoId: number, prefix: string): number {
    return store.countRefs(this.db, repoId, prefix);
  }

  page(repoId: number, prefix: string, part: string, paging: Paging): Slice<Ref> {
    return store.pageOfRefs(this.db, repoId, prefix, part, paging.limit, paging.offset);
  }

  /** The ref that HEAD names now, whether it exists or not. */
  headOf(repo: Repo): string {
    return `refs/heads/${findRepoById(this.db, repo.id)?.defaultBranch ?? repo.defaultBranch}`;
  }

  /** The refs as the engine sees them. */
  readerOf(repo: Repo): Omit<RefStore, "update"> {
    return {
      list: (prefix) => this.list(repo.id, prefix),
      resolve: (name) => this.find(repo.id, name),
      head: () => this.headOf(repo),
    };
  }

  /**
   * Compare-and-swap of many refs, the reflog, the repository's state and the event, in one transaction; then the
   * projection on disk. The objects must be durable already. Names have been checked by the caller.
   * @returns a result for each change in their order; with `atomic` one refusal refuses all
   */
  change(repoId: number, request: ChangeRefs): RefResult[] {
    this.crash("refs.before-transaction");
    let results: RefResult[] = [];
    try {
      this.db.transaction(() => {
        results = this.apply(repoId, request);
        if (request.atomic && results.some((result) => !result.ok)) throw new AtomicRefused();
        this.crash("refs.in-transaction");
        if (results.some((result) => result.ok))
          this.db.onCommit(() => {
            this.crash("refs.after-transaction");
            this.project(repoId);
            this.crash("refs.after-projection");
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

  /** Writes HEAD and packed-refs of the repository's folder from the database. */
  project(repoId: number, options: { breakLocks?: boolean } = {}): void {
    try {
      const repo = findRepoById(this.db, repoId);
      if (!repo) return;
      writeProjection(
        this.storage.dirOf(repoId),
        { head: `refs/heads/${repo.defaultBranch}`, refs: this.list(repoId) },
        { ...options, crashPoint: this.crash },
      );
    } catch (error) {
      // The row in projections_due stays: the next change, try or start writes it.
      this.written.delete(repoId);
      this.lagging.add(repoId);
      this.retry ??= setTimeout(() => this.projectLagging(), RETRY_MS);
      this.retry.unref?.();
      this.storage.noteFailure(error);
      this.log.warn("the refs could not be written to the repository's folder", { repo: repoId, error });
      return;
    }
    this.lagging.delete(repoId);
    this.written.add(repoId);
    this.timer ??= setTimeout(() => this.settle(), MARK_DELAY_MS);
  }

  /** Writes the projections that could not be written: the disk was full, or real git held a lock. */
  private projectLagging(): void {
    this.retry = undefined;
    for (const repoId of [...this.lagging]) {
      this.lagging.delete(repoId);
      this.project(repoId);
    }
  }

  /** Writes the projection once the running transaction is committed. */
  projectAfterCommit(repoId: number): void {
    store.markProjectionDue(this.db, repoId);
    this.db.onCommit(() => this.project(repoId));
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
      for (const repoId of done) store.setProjectionMark(this.db, repoId, projectionMark(this.storage.dirOf(repoId)));
      this.crash("settle.in-transaction");
    });
  }

  /** At start: takes away what broken-off pushes left, writes what lags, and takes in what real git changed in a folder while we were away. */
  reconcile(): void {
    const due = new Set(store.projectionsDue(this.db));
    for (const { repoId, mark } of store.projectionMarks(this.db)) {
      sweepQuarantines(this.storage.dirOf(repoId));
      this.crash("reconcile.swept-one");
      if (due.has(repoId)) this.project(repoId, { breakLocks: true });
      else if (mark !== "" && projectionMark(this.storage.dirOf(repoId)) !== mark) this.importExternalRefs(repoId);
    }
    this.settle();
  }

  /** What the folder says and the database does not, as a push by the operator; refs to missing objects are put back. */
  private importExternalRefs(repoId: number): void {
    const found = new Map(readProjection(this.storage.dirOf(repoId)).refs.map((ref) => [ref.name, ref.oid]));
    const known = new Map(this.list(repoId).map((ref) => [ref.name, ref.oid]));
    const objects = this.storage.objects(repoId);
    const changes: RefChange[] = [];
    for (const [name, oid] of found) {
      if (known.get(name) !== oid && objects.has(oid))
        changes.push({ name, oldOid: known.get(name) ?? null, newOid: oid });
    }
    for (const [name, oid] of known) if (!found.has(name)) changes.push({ name, oldOid: oid, newOid: null });
    if (changes.length > 0) {
      this.log.info("refs were changed in the repository's folder; taken in", { repo: repoId, refs: changes.length });
      this.change(repoId, { principal: operator, changes, atomic: false });
    } else this.project(repoId, { breakLocks: true });
  }

  private apply(repoId: number, { principal, changes, alongside }: ChangeRefs): RefResult[] {
    const now = this.clock();
    const moves: RefMove[] = [];
    const results = changes.map((change): RefResult => {
      const reason = this.applyOne(repoId, change, principal.user?.id ?? null, now);
      if (reason !== undefined) return { name: change.name, ok: false, reason };
      if (change.oldOid !== null || change.newOid !== null) moves.push(change);
      return { name: change.name, ok: true };
    });
    if (moves.length > 0) {
      store.raiseRefsVersion(this.db, repoId);
      store.markProjectionDue(this.db, repoId);
      this.followDefaultBranch(repoId, now);
      const ownerId = findRepoById(this.db, repoId)?.ownerId;
      this.outbox.append(
        "refs.changed",
        { repoId, ...(ownerId === undefined ? {} : { ownerId }), unit: "code", principal: storedPrincipal(principal) },
        { moves },
      );
    }
    alongside?.();
    return results;
  }

  private applyOne(repoId: number, change: RefChange, actorId: number | null, now: number): string | undefined {
    const present = store.findRef(this.db, repoId, change.name);
    if (change.newOid === null && present === undefined) return undefined;
    if ((present?.oid ?? null) !== change.oldOid) return "failed to update ref";
    if (change.newOid === null) store.deleteRef(this.db, repoId, change.name);
    else {
      if (!present && store.conflictingRef(this.db, repoId, change.name) !== undefined) return "failed to update ref";
      const peeled = this.peel(repoId, change.newOid);
      store.putRef(
        this.db,
        repoId,
        peeled === undefined
          ? { name: change.name, oid: change.newOid }
          : { name: change.name, oid: change.newOid, peeled },
      );
    }
    store.logRefChange(this.db, repoId, change.name, change.oldOid, change.newOid, actorId, now);
    return undefined;
  }

  /** The first branch of an empty repository becomes its default: the configured name, else main, master, or the first. */
  private followDefaultBranch(repoId: number, now: number): void {
    const repo = findRepoById(this.db, repoId);
    if (!repo) return;
    const branches = store.listRefs(this.db, repoId, "refs/heads/").map((ref) => ref.name.slice("refs/heads/".length));
    const edit: { isEmpty?: boolean; defaultBranch?: string; pushedAt: number } = { pushedAt: now };
    if (repo.isEmpty && branches.length > 0) {
      edit.isEmpty = false;
      if (!branches.includes(repo.defaultBranch))
        edit.defaultBranch =
          ["main", "master"].find((name) => branches.includes(name)) ?? branches[0] ?? repo.defaultBranch;
    }
    updateRepo(this.db, repoId, edit, now);
  }

  private peel(repoId: number, oid: Oid): Oid | undefined {
    const objects = this.storage.objects(repoId);
    let at = oid;
    for (let depth = 0; depth < 100 && objects.header(at)?.type === "tag"; depth++) {
      const tag = objects.read(at);
      if (!tag) break;
      at = parseTag(tag.data).object;
    }
    return at === oid ? undefined : at;
  }
}

/** Rolls the transaction back; never leaves this file. */
class AtomicRefused extends Error {}
