import type { Config } from "../../config/schema.ts";
import type { Core } from "../../core.ts";
import { trimEndOf } from "../../git/text-ends.ts";
import type { Services } from "../../services.ts";
import { LogService } from "../logs/service.ts";
import { Assignments } from "../tasks/assignment.ts";
import { Reaping } from "../tasks/reaping.ts";
import { TaskService } from "../tasks/service.ts";
import { JobTokens } from "../tokens/service.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import { RunChecks } from "./checks.ts";
import { JobExpansion } from "./expansion.ts";
import { RunFactsReader } from "./facts.ts";
import { RunService } from "./service.ts";
import { RunMachine } from "./turn.ts";

declare module "../../services.ts" {
  interface Services {
    readonly actionsRuns: RunService;
    /** Collects the contexts of runs for expressions and tasks. */
    readonly actionsFacts: RunFactsReader;
    /** Reports jobs as commit statuses. */
    readonly actionsChecks: RunChecks;
    readonly actionsTasks: TaskService;
    readonly actionsLogs: LogService;
    /** The tokens of jobs. */
    readonly actionsTokens: JobTokens;
  }
}

/** What it needs from Actions besides services. */
export interface WorkParts {
  readonly workflowReader: WorkflowReader;
}

const MINUTE_MS = 60_000;

/** Runs, and the tasks that runners make of their jobs. */
export function openWork(core: Core, given: Services, { workflowReader }: WorkParts) {
  const { actionsRunners: runners, actionsSecrets: secrets, actionsVariables: variables } = given;
  const { identity, repos, revisions, statuses } = given;
  const { clock, config, db, jobs, links, log, outbox, pool, secret } = core;
  const endlessMs = config["actions.endless_minutes"] * MINUTE_MS;
  const checks = new RunChecks({ repos, statuses });
  const facts = new RunFactsReader({ db, identity, links, repos, variables });
  const turns = { checks, clock, db, facts, identity, jobs, outbox, runners };
  const machine = new RunMachine(turns);
  const runs = new RunService({ ...turns, machine, maxAttempts: config["actions.max_attempts"] });
  const called = { reader: workflowReader, repos, revisions, rootUrl: links.rootUrl };
  const expansion = new JobExpansion({ ...turns, called, log, machine, pool });
  const tokens = new JobTokens({ clock, db, repos, secret }, endlessMs);
  const defaultActionsUrl = actionsUrl(config, links.rootUrl);
  const assignments = new Assignments(db, { facts, secrets, defaultActionsUrl });
  const logs = new LogService(db);
  const tasks = new TaskService({ assignments, clock, db, log, logs, machine, runners, tokens });
  const reaping = new Reaping(core, machine, tasks, {
    zombieMs: config["actions.zombie_minutes"] * MINUTE_MS,
    endlessMs,
    abandonedMs: config["actions.abandoned_hours"] * 60 * MINUTE_MS,
  });
  runners.beforeDelete((id) => tasks.stopAllOf(id));
  return {
    actionsChecks: checks,
    actionsFacts: facts,
    actionsLogs: logs,
    actionsRuns: runs,
    actionsTasks: tasks,
    actionsTokens: tokens,
    expansion,
    reaping,
  };
}

/** Without a trailing slash. */
function actionsUrl(config: Config, rootUrl: string): string {
  const said = config["actions.default_actions_url"];
  const url = said === "github" ? "https://github.com" : said === "self" ? rootUrl : said;
  return trimEndOf(url, "/");
}
