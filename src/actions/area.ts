import type { Area } from "../area.ts";
import { openArtifacts } from "./artifacts/opening.ts";
import { actionsErrorWords } from "./error-words.ts";
import { RunnerConnections } from "./runners/connections.ts";
import { RunnerService } from "./runners/service.ts";
import { RunHints } from "./runs/hints.ts";
import { RunLists } from "./runs/lists.ts";
import { ActionsSecretService } from "./secrets/service.ts";
import { SummaryService } from "./summaries/service.ts";
import { TokenRules } from "./tokens/rules.ts";
import { openTriggers } from "./triggers/wiring.ts";
import { VariableService } from "./variables/service.ts";
import { openWork } from "./wiring.ts";
import { WorkflowReader } from "./workflows/reader.ts";

declare module "../services.ts" {
  interface Services {
    readonly actionsRunners: RunnerService;
    /** What runners themselves ask. */
    readonly runnerConnections: RunnerConnections;
    readonly actionsSecrets: ActionsSecretService;
    readonly actionsVariables: VariableService;
    /** Reading runs. */
    readonly actionsRunLists: RunLists;
    /** What pages say beside them. */
    readonly actionsRunHints: RunHints;
    readonly actionsSummaries: SummaryService;
    readonly actionsTokenRules: TokenRules;
  }
}

/** Actions: workflows, what they are given, their runs, and the runners that do their jobs. */
export const actionsArea: Area = {
  name: "actions",
  errorWords: actionsErrorWords,
  routes: async () => (await import("./api.ts")).actionsRoutes,
  open: (core, services) => {
    const { access, caches, clock, db, pool, secrets } = core;
    const { audit, identity, repos, storage } = services;
    const actionsVariables = new VariableService(db, clock);
    const actionsSecrets = new ActionsSecretService({ audit, clock, db, secrets });
    const actionsRunners = new RunnerService({ audit, clock, db, repos, secrets });
    const reader = new WorkflowReader(pool, storage, caches);
    const work = openWork(
      core,
      { ...services, actionsRunners, actionsSecrets, actionsVariables },
      { workflowReader: reader },
    );
    const { actionsChecks: checks, actionsFacts: facts, actionsRuns: runs } = work.services;
    const triggers = openTriggers(core, services, { checks, facts, reader, runs });
    const actionsRunLists = new RunLists(db, access);
    return {
      services: {
        ...work.services,
        ...triggers.services,
        ...openArtifacts(core, services),
        actionsRunHints: new RunHints(db, clock),
        actionsRunLists,
        actionsSummaries: new SummaryService(db, actionsRunLists),
        actionsRunners,
        actionsSecrets,
        actionsTokenRules: new TokenRules(db, audit),
        actionsVariables,
        runnerConnections: new RunnerConnections({ audit, clock, db, identity, repos }),
      },
      start: () => {
        work.start();
        triggers.start?.();
      },
      sweep: triggers.sweep,
    };
  },
};
