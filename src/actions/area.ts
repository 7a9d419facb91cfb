import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { actionsErrorWords } from "./error-words.ts";
import { RunMailPreferences } from "./mails/preferences.ts";
import { mailRuns } from "./mails/service.ts";
import { dueSchedules, schedulesAfter } from "./schedules/store.ts";
import { graceAfterStart } from "./tasks/reaping-jobs.ts";
import { wireActions } from "./wiring.ts";

declare module "../services.ts" {
  interface Services {
    readonly runMailPreferences: RunMailPreferences;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Actions: workflows with their variables and secrets, their runs, and the runners that execute their jobs. */
export const actionsArea: Area = {
  name: "actions",
  errorWords: actionsErrorWords,
  routes: async () => (await import("./api.ts")).actionsRoutes,
  open: (core, services) => {
    const { clock, clockWatch, config, db, links, mail, mailWords, outbox } = core;
    const { identity, repos } = services;
    const { expansion, listener, looking, reaping, schedules, ...opened } = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openActions(core, services),
      {
        actionsChecks: true,
        actionsFacts: true,
        actionsLogs: true,
        actionsRunHints: true,
        actionsRunLists: true,
        actionsRunners: true,
        actionsRuns: true,
        actionsSecrets: true,
        actionsSummaries: true,
        actionsTasks: true,
        actionsReaders: true,
        actionsTokenRules: true,
        actionsTokens: true,
        actionsVariables: true,
        actionsWorkflows: true,
        artifacts: true,
        artifactSignatures: true,
        artifactUploads: true,
        expansion: true,
        listener: true,
        looking: true,
        reaping: true,
        runnerConnections: true,
        schedules: true,
        workflowReader: true,
      },
    );
    const runMailPreferences = new RunMailPreferences(db);
    mailRuns({ db, identity, links, mail, outbox, preferences: runMailPreferences, repos, words: mailWords.run });
    wireActions(core, services, { ...opened, expansion, listener, looking, reaping, schedules });
    const runDue = () => {
      if (config["actions.enabled"] && dueSchedules(db, clock(), 1).length > 0) void schedules.runDue();
    };
    const planAgain = (after: number) => {
      if (config["actions.enabled"] && schedulesAfter(db, after).length > 0) void schedules.planAgain();
    };
    clockWatch.onSet((byMs) => {
      if (byMs < 0) planAgain(clock());
    });
    return {
      services: { ...opened, runMailPreferences },
      start: () => {
        const token = config["actions.registration_token"];
        if (token !== "") opened.actionsRunners.seedRegistrationToken(token);
        graceAfterStart(core, config["actions.zombie_minutes"] * MINUTE_MS);
        runDue();
        // Few schedules are due that far ahead; such a time may come from a clock set back while the server was down.
        planAgain(clock() + DAY_MS);
      },
      sweep: runDue,
    };
  },
};
