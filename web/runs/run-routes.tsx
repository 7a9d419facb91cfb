import { writesRuns } from "../../src/actions/access.ts";
import { artifactDownload } from "../../src/actions/artifacts/download.ts";
import { logDownload } from "../../src/actions/logs/download.ts";
import { isDone, Status } from "../../src/actions/runs/statuses.ts";
import type { ListedJob, Run } from "../../src/actions/runs/types.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, idParam, param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { mayUse, seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { wordsFor } from "../language.ts";
import { refHref } from "../links.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { renderedText } from "../repos/texts.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { done } from "./answers.ts";
import type { JobItem, RunFrameProps, ShownRun } from "./frame.tsx";
import { FollowedLog, JobPage, type ShownStep, StepRows } from "./job.tsx";
import { peopleOf, refOf, rightsOf, tookOf, workflowHref } from "./shown.ts";
import { type PlacedStep, placedSteps } from "./steps.ts";
import { RunSummaryPage } from "./summary.tsx";
import { runsWords } from "./words/index.ts";

/** Rows of a step that a page shows; the rest is in the download. */
const MAX_ROWS = 2_000;

/** A run, the requested attempt, and the jobs of that attempt. */
export interface SeenRun {
  readonly seen: SeenRepo;
  readonly run: Run;
  readonly attempt: number;
  readonly jobs: readonly ListedJob[];
}

/** `latest` is the newest run. @throws NotFound, also for a run or job of another repository */
export function seenRun({ actionsRunLists }: WebServices, call: Call): SeenRun {
  const seen = seenRepo(call);
  const run =
    call.params["run"] === "latest"
      ? actionsRunLists.page(seen, {}, { limit: 1, offset: 0 }).items[0]
      : actionsRunLists.get(seen, idParam(call, "run"));
  if (!run) throw new NotFound();
  const attempt = call.params["attempt"] === undefined ? run.attempt : idParam(call, "attempt");
  if (attempt !== run.attempt) actionsRunLists.attempt(run, attempt);
  return { seen, run, attempt, jobs: actionsRunLists.jobs(run, attempt) };
}

/** The job named in the URL, possibly of an earlier attempt. @throws NotFound when it is not part of this run */
export function namedJob(services: WebServices, call: Call): SeenRun & { readonly job: ListedJob } {
  const { actionsRunLists } = services;
  const found = seenRun(services, call);
  const job = actionsRunLists.job(found.seen, idParam(call, "job"));
  if (job.runId !== found.run.id) throw new NotFound();
  if (job.attempt === found.attempt) return { ...found, job };
  return { ...found, attempt: job.attempt, jobs: actionsRunLists.jobs(found.run, job.attempt), job };
}

export const runHref = ({ run, seen }: Pick<SeenRun, "run" | "seen">) => homeOf(seen, `actions/runs/${run.id}`);

/** Includes the attempt when it is not the last. */
const baseOf = (found: SeenRun) =>
  found.attempt === found.run.attempt ? runHref(found) : `${runHref(found)}/attempts/${found.attempt}`;

export const jobHref = (found: Pick<SeenRun, "run" | "seen">, id: number) => `${runHref(found)}/jobs/${id}`;

async function frameOf(
  services: WebServices,
  call: Call,
  found: SeenRun,
  job: number | undefined,
): Promise<RunFrameProps> {
  return {
    shell: shellOf(services, call),
    repo: await repoFrame(services, found.seen),
    base: baseOf(found),
    run: shownRun(services, found),
    jobs: jobItems(found),
    job,
  };
}

function shownRun(services: WebServices, found: SeenRun): ShownRun {
  const { attempt, run, seen } = found;
  const attempts = services.actionsRunLists.attempts(run);
  const person = peopleOf(services, [run.userId, ...attempts.map(({ userId }) => userId)]);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const shown = attempts.find((one) => one.attempt === attempt) ?? run;
  const isLast = attempt === run.attempt;
  const rights = rightsOf(seen, run);
  return {
    id: run.id,
    number: run.number,
    title: run.title,
    workflow: run.workflowName || run.workflow,
    workflowHref: workflowHref(seen, run.workflow),
    event: run.event,
    ref: refOf(repo, run.ref),
    pull: pullOf(run, repo),
    commit: run.commit,
    person: person(run.userId),
    at: shown.createdAt,
    status: shown.status,
    duration: tookOf(shown, Date.now()),
    attempts: attempts.map((one) => ({
      attempt: one.attempt,
      status: one.status,
      person: person(one.userId),
      at: one.createdAt,
      href: one.attempt === run.attempt ? runHref(found) : `${runHref(found)}/attempts/${one.attempt}`,
      isShown: one.attempt === attempt,
    })),
    may: isLast ? rights : { cancel: false, approve: false, rerun: false, rerunFailed: false, delete: false },
  };
}

const pullOf = (run: Run, repo: { readonly owner: string; readonly name: string }) =>
  run.ref.startsWith("refs/pull/") ? refOf(repo, run.ref) : undefined;

function jobItems(found: SeenRun): JobItem[] {
  const byId = new Map(found.jobs.map((job) => [job.id, job]));
  const depthOf = ({ parentId }: ListedJob): number => {
    const parent = parentId === undefined ? undefined : byId.get(parentId);
    return parent ? depthOf(parent) + 1 : 0;
  };
  return found.jobs.map((job) => ({
    id: job.id,
    name: job.name,
    status: job.status,
    href: jobHref(found, job.id),
    depth: depthOf(job),
  }));
}

export async function runPage(services: WebServices, call: Call): Promise<Response> {
  const found = seenRun(services, call);
  const { jobs, run, seen } = found;
  const asked = Number(call.query.get("job") ?? "");
  const shownJob = jobs.find(({ id }) => id === asked)?.id;
  const now = Date.now();
  const view = (
    <RunSummaryPage
      frame={await frameOf(services, call, found, shownJob)}
      jobs={jobs.map((job) => ({
        id: job.id,
        key: job.key,
        name: job.name,
        needs: job.needs,
        status: job.status,
        href: jobHref(found, job.id),
        duration: tookOf(job, now),
      }))}
      artifacts={artifactsOf(services, found)}
      summaries={await summariesOf(services, call, found)}
      workflowFile={`${runHref(found)}/workflow`}
      needsApproval={run.needsApproval && run.approvedBy === undefined && !isDone(run.status)}
      mayDeleteArtifacts={mayUse(writesRuns, seen)}
    />
  );
  return show(call, view);
}

function artifactsOf(services: WebServices, found: SeenRun) {
  return services.artifacts.ofRun({ ...found.run, attempt: found.attempt }).map((artifact) => ({
    name: artifact.name,
    size: artifact.sizeBytes,
    href: artifact.isExpired ? undefined : `${runHref(found)}/artifacts/${encodeURIComponent(artifact.name)}`,
    expiresAt: artifact.expiresAt,
  }));
}

async function summariesOf(services: WebServices, call: Call, { attempt, jobs, run, seen }: SeenRun) {
  const texts = Map.groupBy(services.actionsSummaries.ofAttempt(run, attempt), ({ jobId }) => jobId);
  return Promise.all(
    [...texts].map(async ([jobId, steps]) => ({
      job: jobs.find(({ id }) => id === jobId)?.name ?? "",
      html: await renderedText(services, call.principal, seen, steps.map(({ text }) => text).join("\n\n")),
    })),
  );
}

/** The steps of a job with the rows included in the page. @param rowsOf which rows of a step */
function stepsOf(
  services: WebServices,
  call: Call,
  job: ListedJob,
  rowsOf: (step: PlacedStep, position: number) => ShownStep["rows"],
): { readonly steps: ShownStep[]; readonly logRows: number; readonly isLogGone: boolean } {
  const t = wordsFor(call, runsWords);
  const task = services.actionsRunLists.task(job);
  if (!task) return { steps: [], logRows: 0, isLogGone: false };
  const placed = placedSteps(task, services.actionsRunLists.steps([job]).get(task.id) ?? []);
  const now = Date.now();
  const steps = placed.map((step, position) => ({
    position,
    name: step.name ?? t(position === 0 ? "setUpJob" : "completeJob"),
    status: step.status,
    duration: tookOf(step, now),
    from: step.from,
    to: step.to,
    rows: task.isLogGone ? [] : rowsOf(step, position),
  }));
  return { steps, logRows: task.logRows, isLogGone: task.isLogGone };
}

/** The page of a job; the named, running or failed step is open. */
export async function jobPage(services: WebServices, call: Call): Promise<Response> {
  const found = namedJob(services, call);
  const { job, run, seen } = found;
  const named = call.query.get("step");
  const isOpen = ({ status }: PlacedStep, position: number) =>
    named === null ? status === Status.running || status === Status.failure : named === String(position);
  const { isLogGone, logRows, steps } = stepsOf(services, call, job, (step, position) => {
    // Rows of unfinished steps are brought by the polling that follows the log.
    if (step.to <= step.from) return [];
    return isOpen(step, position) ? rowsOfStep(services, job, step) : undefined;
  });
  const mayWrite = mayUse(writesRuns, seen) && isDone(run.status) && job.attempt === run.attempt;
  const view = (
    <JobPage
      frame={await frameOf(services, call, found, job.id)}
      href={jobHref(found, job.id)}
      status={job.status}
      duration={tookOf(job, Date.now())}
      runner={job.runnerName}
      labels={job.runsOn}
      needs={job.needs}
      steps={steps}
      isLogGone={isLogGone}
      hasLog={logRows > 0 && !isLogGone}
      mayRerun={mayWrite}
      next={isDone(job.status) ? undefined : reachOf(steps)}
    />
  );
  return show(call, view);
}

function rowsOfStep(
  { actionsLogs }: WebServices,
  { taskId }: ListedJob,
  { from, to }: Pick<PlacedStep, "from" | "to">,
) {
  return taskId === undefined ? [] : actionsLogs.rows({ id: taskId }, from, Math.min(to, from + MAX_ROWS));
}

/**
 * The row up to which a log is divided into steps; later rows belong to none yet. Before the first step starts this is
 * none: rows in "Set up job" may turn out to belong to that step.
 */
function reachOf(steps: readonly Pick<ShownStep, "from" | "status" | "to">[]): number {
  if (steps[0]?.status === Status.running) return 0;
  return Math.max(0, ...steps.filter(({ from, to }) => to > from).map(({ to }) => to));
}

/** `…/rows?step=`: the output of a step. @throws NotFound when there is no such step */
export function stepRows(services: WebServices, call: Call): Response | Promise<Response> {
  const { job } = namedJob(services, call);
  const position = Number(call.query.get("step") ?? "");
  const step = stepsOf(services, call, job, () => undefined).steps[position];
  if (!step) throw new NotFound();
  const rows = rowsOfStep(services, job, step);
  return showPart(call, <StepRows rows={rows} from={step.from} left={step.to - step.from - rows.length} />);
}

/** `…/follow?next=`: rows since that one, and where to continue. */
export function followLog(services: WebServices, call: Call): Response | Promise<Response> {
  const found = namedJob(services, call);
  const { job } = found;
  const next = Math.max(0, Number(call.query.get("next") ?? "") || 0);
  const { steps } = stepsOf(services, call, job, ({ from, to }) =>
    to > next && to > from ? rowsOfStep(services, job, { from: Math.max(from, next), to }) : undefined,
  );
  const view = (
    <FollowedLog
      href={jobHref(found, job.id)}
      status={job.status}
      duration={tookOf(job, Date.now())}
      steps={steps}
      since={next}
      next={isDone(job.status) ? undefined : Math.max(next, reachOf(steps))}
    />
  );
  return showPart(call, view);
}

export function logFile(services: WebServices, call: Call): Response {
  return logDownload(services.actionsLogs, namedJob(services, call).job);
}

/** The workflow file as it was when the run started. */
export function workflowFile(services: WebServices, call: Call): Response {
  const { run, seen } = seenRun(services, call);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const path = `${run.workflowFolder}/${run.workflow}`;
  return redirect(refHref(repo, "src", { kind: "commit", name: run.sourceCommit }, path));
}

type RunChange = "approve" | "cancel" | "delete" | "rerun" | "rerun-failed";

export function changeRun(services: WebServices, call: Call, what: RunChange): Response {
  const { actionsRuns } = services;
  const found = seenRun(services, call);
  const { run, seen } = found;
  if (what === "delete") {
    actionsRuns.delete(seen, run.id);
    return done(services, call, homeOf(seen, "actions"), "runDeleted");
  }
  if (what === "approve") actionsRuns.approve(seen, run.id);
  else if (what === "cancel") actionsRuns.cancel(seen, run.id);
  else if (what === "rerun") actionsRuns.rerun(seen, run.id);
  else actionsRuns.rerunFailed(seen, run.id);
  const said = what === "approve" ? "runApproved" : what === "cancel" ? "runCancelled" : "runAgain";
  return done(services, call, runHref(found), said);
}

export function rerunJob(services: WebServices, call: Call): Response {
  const { job, run, seen } = namedJob(services, call);
  const made = services.actionsRuns.rerunJob(seen, run.id, job.id);
  return done(services, call, jobHref({ run, seen }, made), "runAgain");
}

/** `…/artifacts/{name}`: an artifact as one file. */
export function artifactFile(services: WebServices, call: Call): Response {
  const { run } = seenRun(services, call);
  const name = param(call, "name");
  return artifactDownload(services, call, name, services.artifacts.named(run, name));
}

export function deleteArtifact(services: WebServices, call: Call): Response {
  const found = seenRun(services, call);
  services.artifacts.deleteOfRun(found.seen, found.run, param(call, "name"));
  return done(services, call, runHref(found), "artifactDeleted");
}
