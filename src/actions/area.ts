import type { Area } from "../area.ts";
import { actionsErrorWords } from "./error-words.ts";
import { ActionsSecretService } from "./secrets/service.ts";
import { VariableService } from "./variables/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly actionsSecrets: ActionsSecretService;
    readonly actionsVariables: VariableService;
  }
}

/** Actions: what workflows are given. */
export const actionsArea: Area = {
  name: "actions",
  errorWords: actionsErrorWords,
  routes: async () => (await import("./api.ts")).actionsRoutes,
  open: ({ clock, db, secrets }, { audit }) => {
    const actionsSecrets = new ActionsSecretService({ audit, clock, db, secrets });
    return { services: { actionsSecrets, actionsVariables: new VariableService(db, clock) } };
  },
};
