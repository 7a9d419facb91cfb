import type { Core } from "../../core.ts";
import type { JobRun } from "../../jobs/types.ts";
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

/** Connects workflows to the events that start them. */
export function openTriggers(core: Core, services: Services, { checks, facts, reader, runs }: TriggerWiring) {
  const { clock, config, db, jobs, log, pool } = core;
  const { commits, refs, repos, revisions } = services;
  const starter = new WorkflowStarter({ facts, pool, runs });
  const listener = new WorkflowListener({ clock, db, jobs, reader, refs, repos });
  const wake = (repoId: number) => listener.wake(repoId);
  const schedules = new WorkflowSchedules({ clock, db, log, reader, refs, repos, runs, wake });
  const aroundOf = async (seen: SeenRepo) => (await import("./around.ts")).aroundOf(services, seen);
  return {
    actionsWorkflows: new WorkflowService({ aroundOf, commits, db, reader, revisions, starter }),
    workflowReader: reader,
    listener,
    schedules,
    /** Processes a repository's events. */
    looking: {
      at: async (repoId: number, run: JobRun) => {
        if (config["actions.enabled"])
          await (await triggersOf(core, services, { checks, reader, starter })).lookAt(repoId, run);
        await schedules.refresh(repoId);
      },
    },
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
