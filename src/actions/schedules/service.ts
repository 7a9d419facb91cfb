import type { Database } from "../../db/database.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { Repo } from "../../repos/types.ts";
import type { RunService } from "../runs/service.ts";
import { runsWorkflows } from "../triggers/listener.ts";
import { insertHappening } from "../triggers/store.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import * as store from "./store.ts";
import { nextTime } from "./times.ts";

export interface ScheduleParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly log: Log;
  readonly reader: WorkflowReader;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly runs: RunService;
  /** Queues the repository's events for processing. Joins the running transaction. */
  wake(repoId: number): void;
}

/** The payload of the event recorded when a schedule comes due. */
export interface ScheduledHappening {
  readonly workflow: string;
  readonly cron: string;
  readonly branch: string;
  readonly commit: string;
}

/** Schedules handled per pass; the rest follow a moment later. */
const MAX_DUE = 100;
/** Schedules of all workflows of a repository. */
const MAX_SCHEDULES = 256;

/** Workflows that run at set times, as the default branch defines them (contract actions.md 4). */
export class WorkflowSchedules {
  constructor(private readonly parts: ScheduleParts) {}

  /** Stores the schedules found at the tip of the default branch; removes them all where nothing may run. */
  async refresh(repoId: number): Promise<void> {
    const { clock, db, reader, refs, repos } = this.parts;
    const repo = repos.byId(repoId);
    const present = store.schedulesOf(db, repoId);
    const tip = repo && runsWorkflows(repo) ? refs.find(repoId, BRANCHES + repo.defaultBranch)?.oid : undefined;
    if (!repo || tip === undefined) {
      if (present.length > 0) this.replace(repoId, [], true);
      return;
    }
    const hasMoved = present.some(({ branch }) => branch !== repo.defaultBranch);
    if (present.length > 0 && !hasMoved && present.every(({ commit }) => commit === tip)) return;
    const { workflows } = await reader.read(repoId, tip);
    const wanted = workflows.flatMap(({ crons, id }) => crons.map((cron) => ({ workflow: id, cron })));
    if (present.length === 0 && wanted.length === 0) return;
    const schedules: store.NewSchedule[] = [];
    for (const { cron, workflow } of wanted.slice(0, MAX_SCHEDULES)) {
      const known = present.find((schedule) => schedule.workflow === workflow && schedule.cron === cron);
      const nextAt = known?.nextAt ?? (await nextTime(cron, clock()));
      if (nextAt !== undefined)
        schedules.push({ repoId, workflow, cron, branch: repo.defaultBranch, commit: tip, nextAt });
    }
    db.transaction(() => {
      // Otherwise whoever moved the branch meanwhile has queued another refresh.
      if (isStill(repos.byId(repoId), repo)) this.replace(repoId, schedules, hasMoved);
    });
  }

  /** Records an event for each due schedule and works out when it is due next. Never fails. */
  async runDue(): Promise<void> {
    try {
      await this.tellDue();
    } catch (error) {
      this.parts.log.warn("schedules of workflows could not be followed", { error });
    }
  }

  /** Replans schedules whose next time is too late because the clock has since been set back. Never fails. */
  async planAgain(): Promise<void> {
    const { clock, db, log } = this.parts;
    try {
      const now = clock();
      for (const schedule of store.schedulesAfter(db, now)) {
        const next = await nextTime(schedule.cron, now);
        if (next !== undefined && next < schedule.nextAt) store.moveSchedule(db, schedule, next);
      }
    } catch (error) {
      log.warn("schedules of workflows could not be planned again", { error });
    }
  }

  private async tellDue(): Promise<void> {
    const { clock, db, repos, wake } = this.parts;
    const now = clock();
    for (const schedule of store.dueSchedules(db, now, MAX_DUE)) {
      const next = await nextTime(schedule.cron, now);
      db.transaction(() => {
        if (!store.moveSchedule(db, schedule, next)) return;
        const repo = repos.byId(schedule.repoId);
        if (!repo || !runsWorkflows(repo)) return;
        const { branch, commit, cron, repoId, workflow } = schedule;
        const payload = JSON.stringify({ workflow, cron, branch, commit } satisfies ScheduledHappening);
        const row = { repoId, type: "schedule", detail: "", userId: actionsUser.id, payload, isSource: false };
        insertHappening(db, row, now);
        wake(repoId);
      });
    }
  }

  /** @param ends whether to cancel unfinished runs of the previous schedules */
  private replace(repoId: number, schedules: readonly store.NewSchedule[], ends: boolean): void {
    const { db, runs } = this.parts;
    db.transaction(() => {
      store.deleteSchedules(db, repoId);
      for (const schedule of schedules) store.insertSchedule(db, schedule);
      if (ends) runs.cancelSchedules(repoId);
    });
  }
}

const isStill = (now: Repo | undefined, before: Repo): boolean =>
  now !== undefined && runsWorkflows(now) && now.defaultBranch === before.defaultBranch;
