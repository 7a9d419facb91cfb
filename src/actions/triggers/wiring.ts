import type { OpenedArea } from "../../area.ts";
import { BRANCHES } from "../../content/values.ts";
import type { Core } from "../../core.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { RunChecks } from "../runs/checks.ts";
import type { RunFactsReader } from "../runs/facts.ts";
import type { RunService } from "../runs/service.ts";
import { WorkflowSchedules } from "../schedules/service.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import { WorkflowService } from "../workflows/service.ts";
import { WorkflowStarter } from "../workflows/starter.ts";
import { WorkflowListener } from "./listener.ts";

declare module "../../services.ts" {
  interface Services {
    readonly actionsWorkflows: WorkflowService;
    /** Reads the workflow files of commits. */
    readonly workflowReader: WorkflowReader;
  }
}

export interface TriggerWiring {
  readonly checks: RunChecks;
  readonly facts: RunFactsReader;
  readonly reader: WorkflowReader;
  readonly runs: RunService;
}

/**
 * Has workflows hear what happens, and start.
 * @param services as they are when every area is open
 */
export function openTriggers(
  core: Core,
  services: Services,
  { checks, facts, reader, runs }: TriggerWiring,
): OpenedArea {
  const { clock, db, jobs, log, outbox, pool } = core;
  const { commits, hookHappenings, refs, repos, revisions } = services;
  const starter = new WorkflowStarter({ facts, pool, runs });
  const listener = new WorkflowListener({ clock, db, jobs, reader, refs, repos });
  const wake = (repoId: number) => listener.wake(repoId);
  const schedules = new WorkflowSchedules({ clock, db, log, reader, refs, repos, runs, wake });
  hookHappenings.listen(listener);
  // The default branch says what is scheduled, whoever moved it.
  outbox.react("refs.changed", ({ repoId }, { moves }) => {
    const repo = repoId === undefined ? undefined : repos.byId(repoId);
    if (repo && moves.some(({ name }) => name === BRANCHES + repo.defaultBranch)) wake(repo.id);
  });
  for (const kind of ["repo.edited", "branch.renamed", "repo.restored"] as const)
    outbox.react(kind, ({ repoId }) => {
      if (repoId !== undefined) wake(repoId);
    });
  jobs.handle("actions.happened", {
    // Written by `WorkflowListener.wake`, in this shape.
    parse: (payload) => payload as { repoId: number },
    run: async ({ repoId }, run) => {
      await (await triggersOf(core, services, { checks, reader, starter })).lookAt(repoId, run);
      await schedules.refresh(repoId);
    },
    concurrency: 2,
    exclusionKey: ({ repoId }) => `actions:${repoId}`,
  });
  const aroundOf = async (seen: SeenRepo) => (await import("./around.ts")).aroundOf(services, seen);
  return {
    services: {
      actionsWorkflows: new WorkflowService({ aroundOf, commits, db, reader, revisions, starter }),
      workflowReader: reader,
    },
    start: () => void schedules.runDue(),
    sweep: () => void schedules.runDue(),
  };
}

async function triggersOf(
  { db, log, pool }: Core,
  services: Services,
  {
    checks,
    reader,
    starter,
  }: Pick<TriggerWiring, "checks" | "reader"> & {
    readonly starter: WorkflowStarter;
  },
) {
  const { WorkflowTriggers } = await import("./service.ts");
  const { SkippedChecks } = await import("./skipped.ts");
  return new WorkflowTriggers({
    db,
    log,
    pool,
    reader,
    services,
    skipped: new SkippedChecks({ checks, db, pool, protections: services.branchProtections }),
    starter,
    storage: services.storage,
    payloadOf: async (source) => (await import("../../webhooks/sources.ts")).payloadOf(services, source),
  });
}
