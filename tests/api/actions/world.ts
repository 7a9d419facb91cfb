import { operator } from "../../../src/access/principal.ts";
import { homeOfRepo, homeOfSite } from "../../../src/actions/homes.ts";
import { Status, statusName } from "../../../src/actions/runs/statuses.ts";
import type { Run } from "../../../src/actions/runs/types.ts";
import { planInWorker } from "../../../src/actions/workflows/planner.ts";
import { randomHex } from "../../../src/kernel/ids.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { Repo, SeenRepo } from "../../../src/repos/types.ts";
import type { TestServer, TestUser } from "../../builders.ts";
import { aMadeRunner, type MadeRunner, type RunnerRequest } from "./made-runner.ts";

/** Runs of workflows that tests write down, without a push that would start them. */

export interface RunRequest {
  readonly event?: string;
  readonly payload?: JsonObject;
  readonly commit?: string;
  readonly ref?: string;
  readonly workflow?: string;
  readonly cause?: string;
  readonly isOfFork?: boolean;
  readonly needsApproval?: boolean;
  readonly userId?: number;
}

export const COMMIT = "1".repeat(40);

/** @param source the workflow file */
export async function aRun(server: TestServer, repo: Repo, source: string, request: RunRequest = {}): Promise<Run> {
  const { actionsFacts, actionsRuns, pool } = server.services;
  const { commit = COMMIT, event = "push", payload = {}, ref = "refs/heads/main", workflow = "a.yml" } = request;
  const numbers = actionsRuns.reserve(repo.id);
  const facts = {
    ...numbers,
    cause: request.cause ?? `test:${randomHex(8)}`,
    repoId: repo.id,
    workflow,
    workflowFolder: ".gitea/workflows",
    source,
    sourceCommit: commit,
    title: "a title",
    event,
    payload: JSON.stringify(payload),
    ref,
    commit,
    userId: request.userId ?? repo.ownerId,
    issueId: undefined,
    isOfFork: request.isOfFork ?? false,
    needsApproval: request.needsApproval ?? false,
    depth: 0,
  };
  const plan = await planInWorker(pool, source, actionsFacts.contextsOfNew(facts));
  const run = actionsRuns.create({ ...facts, plan });
  if (!run) throw new Error("the run was made before");
  return run;
}

export function seen(server: TestServer, repo: Repo, user: TestUser): SeenRepo {
  const principal = { ...operator, user: user.user };
  const found = server.services.repos.seeById(principal, repo.id);
  if (!found) throw new Error("the repository is there");
  return found;
}

/** A runner of the repository; without one, of the site. */
export function aRunner(
  server: TestServer,
  repo: SeenRepo | undefined,
  request: Omit<RunnerRequest, "token"> = {},
): Promise<MadeRunner> {
  const home = repo ? homeOfRepo(repo) : homeOfSite(operator, "write");
  return aMadeRunner(server, { ...request, token: server.services.actionsRunners.registrationToken(home) });
}

/** The last attempt's jobs by their names: how far each is. */
export function jobStates(server: TestServer, runId: number): Record<string, string> {
  const { db } = server.core;
  const sql = `SELECT name, actions_jobs.status FROM actions_jobs JOIN actions_runs ON actions_runs.id = run_id
    AND actions_runs.attempt = actions_jobs.attempt WHERE run_id = ? ORDER BY actions_jobs.id`;
  const rows = db.query<{ name: string; status: Status }>(sql).all(runId);
  return Object.fromEntries(rows.map(({ name, status }) => [name, statusName(status)]));
}

export function runState(server: TestServer, runId: number): string {
  const row = server.core.db.query<{ status: Status }>("SELECT status FROM actions_runs WHERE id = ?").get(runId);
  return statusName(row?.status ?? Status.unknown);
}
