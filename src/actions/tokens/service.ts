import type { RepoCredential } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { FoundToken, TokenSource } from "../../identity/authenticate.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hmacSha256, sha256Hex } from "../../kernel/ids.ts";
import type { RepoService } from "../../repos/service.ts";
import { findJob } from "../runs/jobs-store.ts";
import { Status } from "../runs/statuses.ts";
import { findRun } from "../runs/store.ts";
import { isOfStranger, type Task } from "../runs/types.ts";
import { findTask, taskByToken } from "../tasks/store.ts";
import { tokenUnits } from "./permissions.ts";
import { jobCredential } from "./readers.ts";
import * as store from "./store.ts";

/** The task that a token identifies. */
export interface TaskClaim {
  readonly taskId: number;
  readonly jobId: number;
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  /** The task is no longer running, so its token has expired. */
  readonly isOver: boolean;
}

export interface JobTokenParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly repos: RepoService;
  /** The server's secret, from which the key is derived. */
  readonly secret: string;
}

const RUNTIME_LIFE_SECONDS = 3600;
const isJobToken = (secret: string) => /^[0-9a-f]{40}$/.test(secret);
const isSigned = (secret: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(secret);

/**
 * The tokens of jobs (contract actions.md 7.1): a random one, and a signed one with claims. Both are valid while their
 * task runs, which is checked on each use, and act as `gitea-actions`.
 */
export class JobTokens implements TokenSource {
  readonly kind = "job";
  private readonly key: Uint8Array;

  constructor(
    private readonly parts: JobTokenParts,
    /** Maximum duration of a task. */
    private readonly maxTaskMs: number,
  ) {
    this.key = new TextEncoder().encode(hmacSha256(parts.secret, "actions-runtime-tokens", "hex"));
  }

  async find(secret: string): Promise<FoundToken | undefined> {
    const task = await this.taskOf(secret);
    const repoCredential = task && this.repoCredentialOf(task.id);
    return repoCredential && { id: task.id, userId: actionsUser.id, scope: undefined, repoCredential };
  }

  /** What the task's job may currently do. */
  repoCredentialOf(taskId: number): RepoCredential | undefined {
    const { db, repos } = this.parts;
    const task = findTask(db, taskId);
    const job = task && findJob(db, task.jobId);
    const run = job && findRun(db, job.runId);
    const repo = run && repos.byId(run.repoId);
    if (!job || !run || !repo) return undefined;
    const isOfFork = isOfStranger(run);
    const isRestricted = store.isRestricted(db, repo.id, repo.ownerId);
    const units = tokenUnits(job.plan.permissions, { isRestricted, isOfFork });
    return jobCredential(db, repo, units, isOfFork);
  }

  isGood(id: number): boolean {
    return isOpen(findTask(this.parts.db, id));
  }

  /** The task identified by the token in the header. @param authorization the Authorization header */
  async claimOf(authorization: string | null): Promise<TaskClaim | undefined> {
    const [scheme = "", secret = "", ...more] = authorization?.trim().split(/\s+/) ?? [];
    if (!/^(bearer|token)$/i.test(scheme) || more.length > 0) return undefined;
    const task = await this.anyTaskOf(secret);
    const job = task && findJob(this.parts.db, task.jobId);
    if (!task || !job) return undefined;
    const { attempt, id: jobId, repoId, runId } = job;
    return { taskId: task.id, jobId, runId, repoId, attempt, isOver: !isOpen(task) };
  }

  /** The token for artifact uploads: clients read its claims too. */
  async runtimeToken(task: { readonly id: number; readonly jobId: number; readonly runId: number }): Promise<string> {
    const { SignJWT } = await import("jose");
    const now = Math.floor(this.parts.clock() / 1000);
    return new SignJWT({
      scp: `Actions.Results:${task.runId}:${task.jobId}`,
      ac: JSON.stringify([{ Scope: "", Permission: 2 }]),
      TaskID: task.id,
      RunID: task.runId,
      JobID: task.jobId,
    })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setNotBefore(now)
      .setExpirationTime(now + RUNTIME_LIFE_SECONDS + Math.ceil(this.maxTaskMs / 1000))
      .sign(this.key);
  }

  /** The token's task, if still running. */
  private async taskOf(secret: string): Promise<Task | undefined> {
    const task = await this.anyTaskOf(secret);
    return isOpen(task) ? task : undefined;
  }

  private async anyTaskOf(secret: string): Promise<Task | undefined> {
    if (isJobToken(secret)) return taskByToken(this.parts.db, sha256Hex(secret));
    if (!isSigned(secret)) return undefined;
    const id = await this.signedTask(secret);
    return id === undefined ? undefined : findTask(this.parts.db, id);
  }

  private async signedTask(token: string): Promise<number | undefined> {
    const { errors, jwtVerify } = await import("jose");
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: ["HS256"],
        currentDate: new Date(this.parts.clock()),
      });
      const id = payload["TaskID"];
      return typeof id === "number" ? id : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

const isOpen = (task: Task | undefined): boolean =>
  task?.status === Status.running || task?.status === Status.cancelling;
