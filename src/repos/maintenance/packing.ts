import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PrunePlan } from "../../git/maintenance/prune.ts";
import { removeLoose, removePacks } from "../../git/maintenance/remove.ts";
import type { Repacked } from "../../git/maintenance/repack.ts";
import { isCrowdedBeside } from "../../git/odb/crowding.ts";
import { removeMark, replacedPacks } from "../../git/odb/replaced.ts";
import type { Ref } from "../../git/refs/types.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Schedules } from "../../jobs/schedules.ts";
import type { JobRun } from "../../jobs/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import type { Log } from "../../kernel/log.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { GitFolders } from "../folders/service.ts";
import type { GitFolder } from "../folders/types.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";
import { isUpToDate, recordRun } from "./last-run.ts";
import { type FolderPayload, parseFolderPayload, unlessDeleted } from "./payload.ts";

/** By then, any fetch that began before a pack was replaced has ended. */
const REPLACED_GRACE_MS = 3_600_000;
/** Delay before a geometric repack; several requests in that time become one. */
const QUIET_MS = 60_000;
/** While someone keeps writing, pruning is retried after this long. */
const BUSY_WAIT_MS = 60_000;
const DAY_MS = 86_400_000;
/** The largest repositories take hours on a small machine. */
const LIMIT_MS = 12 * 3_600_000;
/** Files unlinked before other work gets a turn. */
const BATCH = 64;
/** How often pruning is retried if the repository changes meanwhile. */
const MAX_TRIES = 5;

export interface PackingParts {
  readonly clock: Clock;
  readonly crash: CrashPoint;
  readonly folders: GitFolders;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly pool: WorkerPool;
  /** Days for which unreachable objects are kept. */
  readonly pruneDays: number;
  readonly refs: RefService;
  readonly schedules: Schedules;
  readonly storage: RepoStorage;
}

/**
 * Keeps packs few and compact, and removes unreachable objects.
 *
 * Who may do what, so that nothing is lost (see docs/git-engine.md):
 * - Workers only add packs and mark those that are replaced; only `prune` unlinks, on the main thread.
 * - The last copy of an object is deleted only if, in that same tick, no ref has moved since the object was found
 *   unreachable, and nobody is between checking what is stored and moving a ref (`RepoStorage.writing`).
 */
export class PackMaintenance {
  constructor(private readonly parts: PackingParts) {
    const { folders, jobs, schedules } = parts;
    const ofFolder = {
      parse: parseFolderPayload,
      // Packs are written and removed by one job at a time.
      exclusionKey: ({ folderId }: FolderPayload) => `packs:${folderId}`,
      timeLimitMs: LIMIT_MS,
    };
    jobs.handle("repository.geometric-repack", {
      ...ofFolder,
      run: ({ folderId }, run) => unlessDeleted(folders, folderId, this.pack(folderId, "geometric", run)),
    });
    jobs.handle("repository.repack", {
      ...ofFolder,
      run: ({ folderId }, run) => unlessDeleted(folders, folderId, this.pack(folderId, "all", run)),
    });
    jobs.handle("repository.prune-packs", {
      ...ofFolder,
      run: ({ folderId }, { signal }) => unlessDeleted(folders, folderId, this.prune(folderId, signal)),
    });
    jobs.handle("repositories.nightly", { parse: () => ({}), run: () => this.nightly() });
    schedules.add({
      name: "git_gc_repos",
      cron: "0 3 * * *",
      kind: "repositories.nightly",
      payload: {},
      removesByAge: true,
    });
  }

  /** Combines small packs soon. */
  enqueueGeometricRepack(folderId: number): void {
    const uniqueKey = `repository.geometric-repack:${folderId}`;
    this.parts.jobs.enqueue("repository.geometric-repack", { folderId }, { uniqueKey, delayMs: QUIET_MS });
  }

  /** Packs loose objects, leaves out old unreachable ones, and combines small packs. */
  enqueueRepack(folderId: number): void {
    this.parts.jobs.enqueue("repository.repack", { folderId }, { uniqueKey: `repository.repack:${folderId}` });
  }

  private enqueuePrune(folderId: number, delayMs: number): void {
    const uniqueKey = `repository.prune-packs:${folderId}`;
    this.parts.jobs.enqueue("repository.prune-packs", { folderId }, { uniqueKey, delayMs });
  }

  private nightly(): void {
    for (const { id, refsVersion } of this.parts.folders.all())
      if (!isUpToDate(this.parts.storage.dirOf(id), refsVersion)) this.enqueueRepack(id);
  }

  private async pack(folderId: number, extent: "geometric" | "all", run: JobRun): Promise<void> {
    const folder = this.parts.folders.byId(folderId);
    if (!folder) return;
    const repoDir = this.parts.storage.dirOf(folder.id);
    const { roots, laterRoots, retainedRoots } = this.rootsOf(folder);
    const began = performance.now();
    const job = this.parts.pool.start(
      "git.maintenance",
      { repoDir, extent, roots, laterRoots, retainedRoots, pruneBefore: this.pruneBefore() },
      { lane: "maintenance", signal: run.signal, onNote: (note) => run.progress(note) },
    );
    job.end();
    const done = await job.result;
    if (done) this.logPacked(folder, extent, done, performance.now() - began);
    // Loose files that are now packed can be deleted at once: a reader that misses one looks for new packs.
    if (done || replacedPacks(repoDir).size > 0) this.enqueuePrune(folder.id, 0);
    // The remaining objects are unreachable, or in packs without a closure record.
    if (extent === "geometric" && isCrowdedBeside(repoDir, done?.replacedLoose.length ?? 0))
      this.enqueueRepack(folder.id);
    if (extent === "all") recordRun(repoDir, { refsVersion: folder.refsVersion, isPending: hasCruft(repoDir) });
  }

  private async prune(folderId: number, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const folder = this.parts.folders.byId(folderId);
      if (!folder) return;
      const repoDir = this.parts.storage.dirOf(folderId);
      const { roots, laterRoots, retainedRoots } = this.rootsOf(folder);
      const input = {
        repoDir,
        roots: [...roots, ...laterRoots.flat(), ...retainedRoots],
        replacedBefore: this.parts.clock() - REPLACED_GRACE_MS,
        pruneBefore: this.pruneBefore(),
      };
      const plan = await this.parts.pool.run("git.planPrune", input, { lane: "maintenance", signal });
      for (const name of plan.neededPacks) removeMark(repoDir, name);
      if (plan.lost > 0) await this.pruneGraph(folder, signal);
      if (!(await this.carryOut(folder, plan))) continue;
      if (plan.lost > 0)
        this.parts.log.info("unreachable objects were removed", { folder: folderId, objects: plan.lost });
      const marks = [...replacedPacks(repoDir).values()];
      if (marks.length > 0) this.enqueuePrune(folderId, this.delayUntilDue(marks));
      return;
    }
    this.enqueuePrune(folderId, BUSY_WAIT_MS);
  }

  /**
   * Deletes what the plan lists, copies in batches; returns false if the repository has changed and the plan may be
   * wrong.
   */
  private async carryOut(folder: GitFolder, plan: PrunePlan): Promise<boolean> {
    const repoDir = this.parts.storage.dirOf(folder.id);
    const holds = () =>
      this.parts.folders.byId(folder.id)?.refsVersion === folder.refsVersion &&
      !this.parts.storage.isBeingWritten(folder.id);
    // Last copies go in one tick: a ref created between two batches could name something half deleted.
    if (plan.lost > 0 && !holds()) return false;
    for (const packs of plan.lost > 0 ? [plan.packs] : batches(plan.packs)) {
      this.parts.crash("prune: before packs go");
      removePacks(repoDir, packs);
      this.parts.crash("prune: packs gone");
      removeLoose(repoDir, plan.lostLoose);
      this.parts.crash("prune: loose objects gone");
      // Its open files would still show what was deleted.
      this.parts.storage.reopen(folder.id);
      if (plan.lost === 0) await nextTurn();
    }
    for (const oids of batches(plan.copies)) {
      removeLoose(repoDir, oids);
      await nextTurn();
    }
    return true;
  }

  /**
   * Removes unreachable commits from the commit-graph before they are deleted, so that it never names a missing one.
   */
  private async pruneGraph(folder: GitFolder, signal: AbortSignal): Promise<void> {
    const input = {
      repoDir: this.parts.storage.dirOf(folder.id),
      tips: this.parts.refs.tips(folder.id),
      scope: "reachable" as const,
    };
    await this.parts.pool.run("git.graph", input, { lane: "maintenance", signal });
  }

  /** Default branch alone, all branches, all tags, everything: each kind of clone then copies whole packs. */
  private rootsOf(folder: GitFolder) {
    const refs = this.parts.refs.list(folder.id);
    const { defaultBranch } = folder;
    const isHead = ({ name }: Ref) => name.startsWith("refs/heads/");
    const isTag = ({ name }: Ref) => name.startsWith("refs/tags/");
    const isDefault = ({ name }: Ref) => name === `refs/heads/${defaultBranch}`;
    const groupOf = (isIn: (ref: Ref) => boolean) => [...new Set(refs.filter(isIn).map(({ oid }) => oid))];
    const roots = groupOf(isDefault);
    const laterRoots = [groupOf(isHead), groupOf(isTag), groupOf((ref) => !isHead(ref) && !isTag(ref))];
    return { roots, laterRoots, retainedRoots: this.parts.refs.recentOids(folder.id, this.pruneBefore() * 1000) };
  }

  /** Milliseconds until the oldest of these marks has passed its grace period, plus one second. */
  private delayUntilDue(marks: readonly number[]): number {
    return Math.max(0, Math.min(...marks) + REPLACED_GRACE_MS - this.parts.clock()) + 1000;
  }

  /** Seconds since 1970. */
  private pruneBefore(): number {
    return Math.floor((this.parts.clock() - this.parts.pruneDays * DAY_MS) / 1000);
  }

  private logPacked(folder: GitFolder, extent: string, done: Repacked, ms: number): void {
    this.parts.log.info("packed", {
      folder: folder.id,
      extent,
      objects: done.objects,
      bytes: done.bytes,
      newDeltas: done.newDeltas,
      replacedPacks: done.replacedPacks.length,
      replacedLoose: done.replacedLoose.length,
      kept: done.cruftObjects,
      dropped: done.dropped,
      ms: Math.round(ms),
    });
  }
}

/** Whether unreachable objects are kept that must be pruned later, even without another push. */
function hasCruft(repoDir: string): boolean {
  return readdirSync(join(repoDir, "objects", "pack")).some((name) => name.endsWith(".mtimes"));
}

function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}
