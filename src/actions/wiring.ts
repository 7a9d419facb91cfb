import type { Core } from "../core.ts";
import { BRANCHES } from "../git/refs/names.ts";
import { unitsOn } from "../repos/settings/defaults.ts";
import type { Services } from "../services.ts";
import { heldArtifacts } from "./artifacts/held.ts";
import { deleteLogsBefore } from "./logs/store.ts";
import type { OpenedActions } from "./opening.ts";
import { handleReaping } from "./tasks/reaping-jobs.ts";
import { removeReader } from "./tokens/readers-store.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Starts the workflows whose schedule is due. */
    "actions.start-scheduled": Record<string, never>;
  }
}

/** Connects Actions to events of other areas, to jobs and to retention. */
export function wireActions(core: Core, services: Services, actions: OpenedActions): void {
  const { config, db, links, outbox } = core;
  const { actionsRunners: runners, actionsRuns: runs, listener } = actions;
  const { authenticator, heldFiles, hookHappenings, repos } = services;
  heldFiles.add("artifacts", heldArtifacts(db, links));
  if (config["actions.enabled"]) {
    authenticator.addTokens(actions.actionsTokens);
    hookHappenings.listen(listener);
  }
  // Repositories that may no longer run anything cancel what is running.
  outbox.react("repo.edited", ({ repoId }) => {
    const repo = repoId === undefined ? undefined : repos.byId(repoId);
    if (repo && (repo.isArchived || !unitsOn(repo.settings).has("actions"))) runs.cancelAll(repo.id);
  });
  // The new owner's runners may take the waiting jobs.
  outbox.react("repo.transferred", ({ repoId }, { fromId }) => {
    if (repoId === undefined) return;
    // Ends the access of the former owner's other repositories, which are a stranger's now (contract actions.md 7.1).
    removeReader(db, repoId, fromId);
    runners.raiseVersions({ repoId, ownerId: undefined });
  });
  outbox.react("repo.deleted", ({ repoId }) => {
    if (repoId !== undefined && repos.byId(repoId)) runs.cancelAll(repoId);
  });
  // The default branch defines the schedules, whoever moved it.
  outbox.react("refs.changed", ({ repoId }, { moves }) => {
    const repo = repoId === undefined ? undefined : repos.byId(repoId);
    if (repo && moves.some(({ name }) => name === BRANCHES + repo.defaultBranch)) listener.wake(repo.id);
  });
  for (const kind of ["repo.edited", "branch.renamed", "repo.restored"] as const)
    outbox.react(kind, ({ repoId }) => {
      if (repoId !== undefined) listener.wake(repoId);
    });
  addJobs(core, actions);
  addRetention(core, actions);
}

function addJobs(core: Core, { expansion, looking, reaping, schedules }: OpenedActions): void {
  core.jobs.handle("actions.start-scheduled", { parse: () => ({}), run: () => schedules.runDue(), maxTries: 1 });
  // The server checks the clock for due schedules itself (area.ts); this is for running them on demand.
  core.schedules.add({
    name: "start_schedule_tasks",
    cron: "* * * * *",
    kind: "actions.start-scheduled",
    payload: {},
    isManual: true,
  });
  core.jobs.handle("actions.expand-job", {
    parse: parseExpansion,
    run: ({ jobId }) => expansion.expand(jobId),
    concurrency: 2,
    maxTries: 4,
    exclusionKey: ({ jobId }) => `actions.expand-job:${jobId}`,
  });
  core.jobs.handle("actions.happened", {
    // Written by `WorkflowListener.wake`, in this shape.
    parse: (payload) => payload as { repoId: number },
    run: ({ repoId }, run) => looking.at(repoId, run),
    concurrency: 2,
    exclusionKey: ({ repoId }) => `actions:${repoId}`,
  });
  handleReaping(core, reaping);
}

function parseExpansion(payload: unknown): { jobId: number } {
  const { jobId } = payload as { jobId?: unknown };
  if (typeof jobId !== "number") throw new Error("the payload names no job");
  return { jobId };
}

function addRetention({ config, db, retention }: Core, { artifacts }: OpenedActions): void {
  retention.add({
    name: "logs of jobs",
    days: config["actions.log_retention_days"],
    task: "cleanup_actions",
    prune: (before, limit) => deleteLogsBefore(db, before, limit),
  });
  const cleaned = { days: 1, task: "cleanup_actions" } as const;
  retention.add({
    ...cleaned,
    name: "artifacts whose time is over",
    prune: (_now, limit) => artifacts.expire(limit),
  });
  retention.add({
    ...cleaned,
    name: "artifacts that were never finished",
    prune: (before, limit) => artifacts.discardUnfinished(before, limit),
  });
}
