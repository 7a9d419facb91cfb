import type { Area } from "../area.ts";
import { actionsErrorWords } from "./error-words.ts";
import { RunnerConnections } from "./runners/connections.ts";
import { RunnerService } from "./runners/service.ts";
import { ActionsSecretService } from "./secrets/service.ts";
import { VariableService } from "./variables/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly actionsRunners: RunnerService;
    /** What runners themselves ask. */
    readonly runnerConnections: RunnerConnections;
    readonly actionsSecrets: ActionsSecretService;
    readonly actionsVariables: VariableService;
  }
}

/** Actions: what workflows are given, and the runners. */
export const actionsArea: Area = {
  name: "actions",
  errorWords: actionsErrorWords,
  routes: async () => (await import("./api.ts")).actionsRoutes,
  open: ({ clock, db, secrets }, { audit, identity, repos }) => ({
    services: {
      actionsRunners: new RunnerService({ audit, clock, db, repos, secrets }),
      actionsSecrets: new ActionsSecretService({ audit, clock, db, secrets }),
      actionsVariables: new VariableService(db, clock),
      runnerConnections: new RunnerConnections({ audit, clock, db, identity, repos }),
    },
  }),
};
