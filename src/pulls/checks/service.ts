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
  /** Where nothing happened for so many days, a check waits until someone looks; 0: always; below: never. */
  readonly inactiveDays: number;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly protections: BranchProtections;
  readonly pulls: PullService;
  readonly storage: RepoStorage;
}

/** What a check found, and of which base. */
export interface Examined {
  readonly base: Oid;
  readonly check: PullCheck;
}

/** Branches that move while they are looked at are looked at again, so often. */
const MAX_ATTEMPTS = 10;
const DAY_MS = 24 * 3_600_000;
/** How long someone who asks for a pull request waits for a check that is under way. */
const PATIENCE_MS = 2_000;

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

/** What becomes of the open pull requests when their branches move (contract pulls.md 8). */
export class PullChecks {
  private readonly running = new InFlight<number, void>();
  private contained: (item: SeenPull, base: Oid) => Promise<boolean> = async () => false;

  constructor(private readonly parts: CheckParts) {}

  /** Says what to do with one whose base has all of it; `true`: it is open no more. Called once, while areas are wired. */
  whenContained(handle: (item: SeenPull, base: Oid) => Promise<boolean>): void {
    this.contained = handle;
  }

  /** What follows from two commits that the repository has. */
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

  /** Brings an open pull request up to its branches; at once when it is. */
  refresh(issueId: number): Promise<void> {
    return this.running.once(issueId, () => this.bringUp(issueId));
  }

  /** The same pull request with what is known by now, after a short wait where it is being found out. */
  async settled(item: SeenPull): Promise<SeenPull> {
    const { pulls } = this.parts;
    if (item.pull.status !== "checking" || !item.pull.isOpen) return item;
    const done = this.refresh(item.issue.id).catch(() => {});
    await Promise.race([done, Bun.sleep(PATIENCE_MS)]);
    return pulls.refreshed(item);
  }

  /** A base moved: those that are alive are checked now, others when someone asks for them. */
  async refreshBase(repoId: number, branch: string, signal: AbortSignal): Promise<void> {
    const { clock, db, inactiveDays } = this.parts;
    const since = inactiveDays < 0 ? 0 : inactiveDays === 0 ? Number.MAX_SAFE_INTEGER : clock() - inactiveDays * DAY_MS;
    const waiting = store.activeByBase(db, repoId, branch, since);
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) await this.refresh(id);
    };
    await Promise.all([work(), work()]);
  }

  /** What its two commits come to, to be noted with what else is new; undefined: `refresh` has more to do than that. */
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

  /** A repository that is damaged, or an object that is not there, is an answer, too. */
  private async examineOr({ pull, seen }: SeenPull, base: Oid): Promise<PullCheck> {
    try {
      return await this.examine(seen, pull.baseBranch, base, pull.headOid, knownSize(pull));
    } catch (error) {
      this.parts.log.warn("the branches of a pull request could not be compared", { repo: seen.repo.id, error });
      return FAILED;
    }
  }

  /** Writes it down. Joins the running transaction. @returns false when it is about commits that are not the branches' any more */
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

/** The size that the last check found, when it was of the same head. */
function knownSize(pull: Pull): KnownSize | undefined {
  const { checkedBase, checkedHead, headOid, mergeBase } = pull;
  const isOfHead = checkedHead === headOid && checkedBase !== "";
  return isOfHead && mergeBase !== undefined ? { ...sizeOf(pull), mergeBase } : undefined;
}

/** Without its base it keeps the size it had. */
function sizeOf({
  additions,
  changedFiles,
  deletions,
  mergeBase,
}: Omit<KnownSize, "mergeBase"> & Pick<PullCheck, "mergeBase">) {
  return { additions, changedFiles, deletions, mergeBase };
}
