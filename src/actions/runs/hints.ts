import type { Database } from "../../db/database.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { labelsOfRunners, recentChoices, unapprovedRuns, waitingLabels } from "./hints-store.ts";
import { requireReadable } from "./lists.ts";

/** How many of the newest runs supply the users and branches offered as filters. */
const RECENT_RUNS = 500;
const WAITING_JOBS = 100;
/** A runner that has not called for this long is offline. */
const ONLINE_MS = 60_000;

/** Hints that pages show beside runs: values to filter by, and why runs are waiting. */
export class RunHints {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Who started the most recent runs, and for which branches, at most `max` of each.
   * @throws NotFound if they may not be read
   */
  choices(seen: SeenRepo, max: number): { readonly actors: readonly number[]; readonly branches: readonly string[] } {
    requireReadable(seen);
    const { refs, userIds } = recentChoices(this.db, seen.repo.id, RECENT_RUNS);
    const branches = refs.filter((ref) => ref.startsWith(BRANCHES)).map((ref) => ref.slice(BRANCHES.length));
    return { actors: userIds.slice(0, max), branches: branches.slice(0, max) };
  }

  /** Labels of jobs that no online runner would take. @throws NotFound if they may not be read */
  missingLabels(seen: SeenRepo): string[] {
    requireReadable(seen);
    const { id: repoId, ownerId } = seen.repo;
    const waiting = waitingLabels(this.db, repoId, WAITING_JOBS);
    if (waiting.length === 0) return [];
    const runners = labelsOfRunners(this.db, { ownerId, repoId }, this.clock() - ONLINE_MS);
    const isTaken = (labels: readonly string[]) =>
      runners.some((runner) => labels.every((one) => runner.includes(one)));
    return [...new Set(waiting.filter((labels) => !isTaken(labels)).flat())].sort();
  }

  /** Runs of a commit that are waiting for approval. @throws NotFound if they may not be read */
  unapproved(seen: SeenRepo, commit: string): { readonly id: number }[] {
    requireReadable(seen);
    return unapprovedRuns(this.db, seen.repo.id, commit);
  }
}
