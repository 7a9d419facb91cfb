import { isDone, statusName } from "../../src/actions/runs/statuses.ts";
import { json } from "../../src/http/respond.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { commitHref } from "../links.ts";
import { jobHref, namedJob, runHref, type SeenRun, seenRun } from "./run-routes.tsx";
import { peopleOf, refOf, rightsOf, tookOf, workflowHref } from "./shown.ts";
import { placedSteps } from "./steps.ts";
import { runsWords } from "./words/index.ts";

/** The response to a script that polls a run once a second (contract actions.md 9.1). */

/** Maximum rows of one response. */
const MAX_ROWS = 1_000;
const MAX_CURSORS = 500;

interface Cursor {
  readonly step: number;
  readonly from: number;
}

export async function polled(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const cursors = form.list("logCursors").slice(0, MAX_CURSORS).flatMap(cursorOf);
  const named = call.params["job"] === undefined ? undefined : namedJob(services, call);
  const found = named ?? seenRun(services, call);
  const current = named && currentJob(services, call, named, cursors);
  return json({
    artifacts: services.artifacts.ofRun({ ...found.run, attempt: found.attempt }).map((artifact) => ({
      name: artifact.name,
      size: artifact.sizeBytes,
      status: artifact.isExpired ? "expired" : "completed",
      expiresUnix: Math.floor(artifact.expiresAt / 1000),
    })),
    state: {
      run: runState(services, found),
      currentJob: current?.job ?? { title: "", detail: "", steps: [] },
    },
    logs: { stepsLog: current?.logs ?? [] },
  });
}

/** Cursors of open steps. Invalid ones are ignored. */
function cursorOf(given: unknown): Cursor[] {
  if (typeof given !== "object" || given === null) return [];
  const { cursor, expanded, step } = given as Record<string, unknown>;
  if (expanded !== true || !Number.isSafeInteger(step)) return [];
  return [{ step: Number(step), from: Number.isSafeInteger(cursor) ? Math.max(0, Number(cursor)) : 0 }];
}

function runState(services: WebServices, found: SeenRun) {
  const { attempt, jobs, run, seen } = found;
  const attempts = services.actionsRunLists.attempts(run);
  const person = peopleOf(services, [run.userId, ...attempts.map(({ userId }) => userId)]);
  const shown = attempts.find((one) => one.attempt === attempt) ?? run;
  const rights = rightsOf(seen, run);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const branch = refOf(repo, run.ref);
  const now = Date.now();
  const isPull = run.ref.startsWith("refs/pull/");
  const pusher = person(run.userId);
  return {
    repoId: seen.repo.id,
    link: runHref(found),
    viewLink: attempt === run.attempt ? runHref(found) : `${runHref(found)}/attempts/${attempt}`,
    index: run.number,
    title: run.title,
    titleHTML: Bun.escapeHTML(run.title),
    status: statusName(shown.status),
    canCancel: rights.cancel,
    canApprove: rights.approve,
    canRerun: rights.rerun,
    canRerunFailed: rights.rerunFailed,
    canDeleteArtifact: rights.delete || rights.cancel,
    done: isDone(shown.status),
    workflowID: run.workflow,
    workflowLink: workflowHref(seen, run.workflow),
    canViewWorkflowFile: seen.access.on("code") !== "none",
    isSchedule: run.event === "schedule",
    runAttempt: attempt,
    attempts: attempts.map((one) => {
      const by = person(one.userId);
      return {
        attempt: one.attempt,
        status: statusName(one.status),
        done: isDone(one.status),
        link: `${runHref(found)}/attempts/${one.attempt}`,
        current: one.attempt === attempt,
        latest: one.attempt === run.attempt,
        triggeredAt: Math.floor(one.createdAt / 1000),
        triggerUserName: by.name,
        triggerUserLink: by.href ?? "",
        triggerUserAvatar: by.avatarUrl ?? "",
      };
    }),
    jobs: jobs.map((job) => ({
      id: job.id,
      link: jobHref(found, job.id),
      jobId: job.key,
      name: job.name,
      status: statusName(job.status),
      canRerun: rights.rerun,
      duration: tookOf(job, now) ?? "0s",
      needs: job.needs,
      parentJobID: job.parentId ?? 0,
      isReusableCaller: jobs.some(({ parentId }) => parentId === job.id),
    })),
    commit: {
      shortSHA: run.commit.slice(0, 10),
      link: commitHref(repo, run.commit),
      pusher: { displayName: pusher.name, link: pusher.href ?? "" },
      branch: { name: branch.label, link: branch.href ?? "", isDeleted: false },
    },
    pullRequest: isPull ? { index: branch.label, link: branch.href } : null,
    duration: tookOf(shown, now) ?? "0s",
    triggeredAt: Math.floor(shown.createdAt / 1000),
    triggerEvent: run.event,
  };
}

function currentJob(
  services: WebServices,
  call: Call,
  { job }: ReturnType<typeof namedJob>,
  cursors: readonly Cursor[],
) {
  const t = wordsFor(call, runsWords);
  const now = Date.now();
  const task = services.actionsRunLists.task(job);
  const steps = task ? placedSteps(task, services.actionsRunLists.steps([job]).get(task.id) ?? []) : [];
  const detail = t(`status-${statusName(job.status)}`);
  return {
    job: {
      title: job.name,
      detail,
      steps: steps.map(({ name, startedAt, status, stoppedAt }, position) => ({
        summary: name ?? (position === 0 ? "Set up job" : "Complete job"),
        duration: tookOf({ startedAt, stoppedAt }, now) ?? "0s",
        status: statusName(status),
      })),
    },
    logs: cursors.flatMap(({ from, step: position }) => {
      const step = steps[position];
      if (!step || !task) return [];
      const started = Math.floor((step.startedAt ?? task.createdAt) / 1000);
      if (task.isLogGone) {
        const line = { index: 1, message: t("logGone"), timestamp: started };
        return [{ step: position, cursor: 1, lines: from === 0 ? [line] : [], started }];
      }
      const first = step.from + from;
      const rows = services.actionsLogs.rows(task, first, Math.min(step.to, first + MAX_ROWS));
      return [
        {
          step: position,
          cursor: from + rows.length,
          lines: rows.map(({ at, index, text }) => ({
            index: index - step.from + 1,
            message: text,
            timestamp: at / 1000,
          })),
          started,
        },
      ];
    }),
  };
}
