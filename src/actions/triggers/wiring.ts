import { BRANCHES } from "../../content/values.ts";
import type { Core } from "../../core.ts";
import type { Services } from "../../services.ts";
import type { RunChecks } from "../runs/checks.ts";
import type { RunService } from "../runs/service.ts";
import { WorkflowSchedules } from "../schedules/service.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import type { WorkflowStarter } from "../workflows/starter.ts";
import { WorkflowListener } from "./listener.ts";

export interface TriggerWiring {
  readonly checks: RunChecks;
  readonly reader: WorkflowReader;
  readonly runs: RunService;
  readonly starter: WorkflowStarter;
}

/** Has workflows hear what happens, and start. @returns what runs them at set times */
export function wireTriggers(core: Core, services: Services, parts: TriggerWiring): WorkflowSchedules {
  const { clock, db, jobs, log, outbox } = core;
  const { hookHappenings, refs, repos } = services;
  const { reader, runs } = parts;
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
      await (await triggersOf(core, services, parts)).lookAt(repoId, run);
      await schedules.refresh(repoId);
    },
    concurrency: 2,
    exclusionKey: ({ repoId }) => `actions:${repoId}`,
  });
  return schedules;
}

async function triggersOf({ db, log, pool }: Core, services: Services, { checks, reader, starter }: TriggerWiring) {
  const { WorkflowTriggers } = await import("./service.ts");
  const { SkippedChecks } = await import("./skipped.ts");
  return new WorkflowTriggers({
    db,
    log,
    pool,
    reader,
    services,
    skipped: new SkippedChecks({ checks, pool, protections: services.branchProtections }),
    starter,
    storage: services.storage,
    payloadOf: async (source) => (await import("../../webhooks/sources.ts")).payloadOf(services, source),
  });
}
