import { operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Oid } from "../../git/objects/types.ts";
import { contextOf } from "../../issues/context.ts";
import type { Clock } from "../../kernel/clock.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { Log } from "../../kernel/log.ts";
import { filePatterns } from "../../protections/branches/match.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { PullService } from "../service.ts";
import * as store from "../store.ts";
import type { Pull, PullCheck, SeenPull } from "../types.ts";
import type { KnownSize } from "./examine.job.ts";

export interface CheckParts {
  readonly clock: Clock;
  readonly db: Database;
  /** Pull requests inactive for this many days are checked only when viewed; 0: all are; negative: none are. */
  readonly inactiveDays: number;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly protections: BranchProtections;
  readonly pulls: PullService;
  readonly storage: RepoStorage;
}

/** The result of a check, and the base it was made against. */
export interface Examined {
  readonly base: Oid;
  readonly check: PullCheck;
}

/** How often a check is repeated because a branch moved meanwhile. */
const MAX_ATTEMPTS = 10;
const DAY_MS = 24 * 3_600_000;
/** How long a request for a pull request waits for a running check. */
const MAX_WAIT_MS = 2_000;

const FAILED: PullCheck = {
  status: "error",
  mergeBase: undefined,
  ahead: 0,
  behind: 0,
  additions: 0,
  deletions: 0,
  changedFiles: 0,
  conflicts: [],
  protectedFiles: [],
};

/** Re-checks open pull requests when their branches move (contract pulls.md 8). */
export class PullChecks {
  private readonly running = new InFlight<number, void>();
  private contained: (item: SeenPull, base: Oid) => Promise<boolean> = async () => false;

  constructor(private readonly parts: CheckParts) {}

  /**
   * Sets the handler for pull requests whose base already contains everything; it returns `true` if the pull request is
   * no longer open. Called once, while areas are wired.
   */
  whenContained(handle: (item: SeenPull, base: Oid) => Promise<boolean>): void {
    this.contained = handle;
  }

  /** Compares two commits that the repository has. */
  async examine(seen: SeenRepo, branch: string, base: Oid, head: Oid, known?: KnownSize): Promise<PullCheck> {
    const { pool, protections, storage } = this.parts;
    const patterns = protections.ruleOf(seen, branch)?.settings.protectedFilePatterns ?? "";
    const protectedFiles = filePatterns(patterns.toLowerCase());
    return pool.run("pulls.examine", {
      repoDir: storage.dirOf(seen.repo.id),
      base,
      head,
      protectedFiles,
      ignoreSpaceChange: mergeSettings(seen.repo.settings).ignoreWhitespaceConflicts,
      known,
    });
  }

  /** Brings an open pull request up to date with its branches; returns at once if it is. */
  refresh(issueId: number): Promise<void> {
    return this.running.once(issueId, () => this.bringUp(issueId));
  }

  /** The pull request with its current state, after a short wait if a check is running. */
  async settled(item: SeenPull): Promise<SeenPull> {
    const { pulls } = this.parts;
    if (item.pull.status !== "checking" || !item.pull.isOpen) return item;
    const done = this.refresh(item.issue.id).catch(() => {});
    await Promise.race([done, Bun.sleep(MAX_WAIT_MS)]);
    return pulls.refreshed(item);
  }

  /** A base moved: checks active pull requests now, the others when someone asks for them. */
  async refreshBase(repoId: number, branch: string, signal: AbortSignal): Promise<void> {
    const { clock, db, inactiveDays } = this.parts;
    const since = inactiveDays < 0 ? 0 : inactiveDays === 0 ? Number.MAX_SAFE_INTEGER : clock() - inactiveDays * DAY_MS;
    const waiting = store.activeByBase(db, repoId, branch, since);
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) await this.refresh(id);
    };
    await Promise.all([work(), work()]);
  }

  /** Examines its two commits, to be noted along with other changes; undefined if the case needs `refresh`. */
  async look(item: SeenPull): Promise<Examined | undefined> {
    const base = this.parts.pulls.baseTip(item.pull);
    if (base === undefined) return undefined;
    const check = await this.examineOr(item, base);
    return check.status === "ancestor" ? undefined : { base, check };
  }

  private async bringUp(issueId: number): Promise<void> {
    const { pulls } = this.parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const item = pulls.byId(operator, issueId);
      if (!item?.pull.isOpen) return;
      const { pull } = item;
      const base = pulls.baseTip(pull) ?? "";
      if (pull.status !== "checking" && pull.checkedBase === base && pull.checkedHead === pull.headOid) return;
      const check = base === "" ? { ...FAILED, ...sizeOf(pull) } : await this.examineOr(item, base);
      if (check.status === "ancestor" && (await this.contained(item, base))) return;
      if (this.note(item, { check, base })) return;
    }
  }

  /** A damaged repository or a missing object also yields a result. */
  private async examineOr({ pull, seen }: SeenPull, base: Oid): Promise<PullCheck> {
    try {
      return await this.examine(seen, pull.baseBranch, base, pull.headOid, knownSize(pull));
    } catch (error) {
      this.parts.log.warn("the branches of a pull request could not be compared", { repo: seen.repo.id, error });
      return FAILED;
    }
  }

  /** Stores the result. Joins the running transaction. @returns false if the branches have moved since */
  note({ issue, pull, seen }: SeenPull, { base, check }: Examined): boolean {
    const { db, outbox, pulls } = this.parts;
    return db.transaction(() => {
      const now = store.findPull(db, issue.id);
      if (!now?.isOpen) return true;
      if (now.headOid !== pull.headOid || now.baseBranch !== pull.baseBranch || (pulls.baseTip(now) ?? "") !== base)
        return false;
      store.setCheck(db, issue.id, check, base, pull.headOid);
      outbox.append("pull.checked", contextOf(seen, issue), { issueId: issue.id, status: check.status });
      return true;
    });
  }
}

/** The size found by the last check, if it was of the same head. */
function knownSize(pull: Pull): KnownSize | undefined {
  const { checkedBase, checkedHead, headOid, mergeBase } = pull;
  const isOfHead = checkedHead === headOid && checkedBase !== "";
  return isOfHead && mergeBase !== undefined ? { ...sizeOf(pull), mergeBase } : undefined;
}

/** Keeps the known size when the base is gone. */
function sizeOf({
  additions,
  changedFiles,
  deletions,
  mergeBase,
}: Omit<KnownSize, "mergeBase"> & Pick<PullCheck, "mergeBase">) {
  return { additions, changedFiles, deletions, mergeBase };
}
