import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { openArtifacts } from "./artifacts/opening.ts";
import { RunnerConnections } from "./runners/connections.ts";
import { RunnerService } from "./runners/service.ts";
import { RunHints } from "./runs/hints.ts";
import { RunLists } from "./runs/lists.ts";
import { openWork } from "./runs/opening.ts";
import { ActionsSecretService } from "./secrets/service.ts";
import { SummaryService } from "./summaries/service.ts";
import { JobReaders } from "./tokens/readers.ts";
import { TokenRules } from "./tokens/rules.ts";
import { openTriggers } from "./triggers/opening.ts";
import { VariableService } from "./variables/service.ts";
import { WorkflowReader } from "./workflows/reader.ts";

declare module "../services.ts" {
  interface Services {
    readonly actionsRunners: RunnerService;
    /** Serves the calls of runners. */
    readonly runnerConnections: RunnerConnections;
    readonly actionsSecrets: ActionsSecretService;
    readonly actionsVariables: VariableService;
    /** Reads runs. */
    readonly actionsRunLists: RunLists;
    /** Hints shown beside runs on pages. */
    readonly actionsRunHints: RunHints;
    readonly actionsSummaries: SummaryService;
    readonly actionsTokenRules: TokenRules;
    /** Which jobs of other repositories may read a repository. */
    readonly actionsReaders: JobReaders;
  }
}

/** All services of Actions, wired together. */
export function openActions(core: Core, services: Services) {
  const { access, caches, clock, db, pool, secrets } = core;
  const { audit, identity, repos, storage } = services;
  const actionsVariables = new VariableService(db, clock);
  const actionsSecrets = new ActionsSecretService({ audit, clock, db, secrets });
  const actionsRunners = new RunnerService({ audit, clock, db, repos, secrets });
  const reader = new WorkflowReader(pool, storage, caches);
  const own = { actionsRunners, actionsSecrets, actionsVariables };
  const work = openWork(core, { ...services, ...own }, { workflowReader: reader });
  const { actionsChecks: checks, actionsFacts: facts, actionsRuns: runs } = work;
  const actionsRunLists = new RunLists(db, access);
  return {
    ...own,
    ...work,
    ...openTriggers(core, services, { checks, facts, reader, runs }),
    ...openArtifacts(core, services),
    actionsRunHints: new RunHints(db, clock),
    actionsRunLists,
    actionsSummaries: new SummaryService(db, actionsRunLists),
    actionsReaders: new JobReaders({ audit, db, identity }),
    actionsTokenRules: new TokenRules(db, audit),
    runnerConnections: new RunnerConnections({ audit, clock, db, identity, repos }),
  };
}

export type OpenedActions = ReturnType<typeof openActions>;
