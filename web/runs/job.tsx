import { isDone, Status } from "../../src/actions/runs/statuses.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { LivePart } from "../components/live-part.tsx";
import { EmptyState, Notice } from "../components/surface.tsx";
import { raw } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { RunFrame, type RunFrameProps } from "./frame.tsx";
import { RUN_EVENTS } from "./list.tsx";
import { type LogRow, logHtml } from "./log-lines.ts";
import { StatusBadge, StatusMark } from "./look.tsx";
import { runsWords } from "./words/index.ts";

/** A step of a job on its page, including "Set up job" and "Complete job". */
export interface ShownStep {
  readonly position: number;
  readonly name: string;
  readonly status: Status;
  readonly duration: string | undefined;
  /** The step's rows in the job's log; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Its rows, when they are part of the page. */
  readonly rows: readonly LogRow[] | undefined;
}

export interface JobProps {
  readonly frame: RunFrameProps;
  /** `/ada/tools/actions/runs/7/jobs/31` */
  readonly href: string;
  readonly status: Status;
  readonly duration: string | undefined;
  readonly runner: string | undefined;
  readonly labels: readonly string[];
  /** Jobs it depends on. */
  readonly needs: readonly string[];
  readonly steps: readonly ShownStep[];
  /** Its log has been deleted. */
  readonly isLogGone: boolean;
  readonly hasLog: boolean;
  readonly mayRerun: boolean;
  /** The row to continue from while the job runs; undefined: it is done. */
  readonly next: number | undefined;
}

/** `GET {W}/actions/runs/{run}/jobs/{job}`: its steps with their output. */
export function JobPage(props: JobProps) {
  const t = useWords(runsWords);
  const { duration, frame, hasLog, href, isLogGone, labels, mayRerun, next, runner, status, steps } = props;
  return (
    <RunFrame frame={frame}>
      <div class="row">
        <p class="run-facts job-state" id={STATE}>
          <JobState status={status} duration={duration} />
          {runner === undefined ? null : <span>{t("onRunner", { name: runner })}</span>}
          <span>{labels.join(", ")}</span>
        </p>
        {hasLog ? (
          <LinkButton small icon="download" href={`${href}/logs`} download>
            {t("downloadLog")}
          </LinkButton>
        ) : null}
        {mayRerun ? (
          <form method="post" action={`${href}/rerun`}>
            <SubmitButton small>{t("rerunJob")}</SubmitButton>
          </form>
        ) : null}
      </div>
      {isLogGone ? (
        <Notice kind="info">
          <p>{t("logGone")}</p>
        </Notice>
      ) : null}
      {steps.length === 0 ? (
        <LivePart id={BODY} here={href} on={RUN_EVENTS}>
          <Waiting {...props} />
        </LivePart>
      ) : (
        <div class="job-steps" id={BODY}>
          {steps.map((step) => (
            <StepBox step={step} href={href} />
          ))}
          {next === undefined ? null : <FollowLog href={href} next={next} />}
        </div>
      )}
    </RunFrame>
  );
}

/** Why there is no output yet. */
function Waiting({ labels, needs, status }: JobProps) {
  const t = useWords(runsWords);
  if (isDone(status)) return <EmptyState icon="info" title={t("jobNeverStarted")} />;
  const isBlocked = status === Status.blocked && needs.length > 0;
  const reason = isBlocked
    ? t("jobNeeds", { jobs: needs.join(", ") })
    : labels.length > 0
      ? t("jobWaitsFor", { labels: labels.join(", ") })
      : null;
  return (
    <EmptyState icon="clock" title={t("jobWaits")}>
      {reason}
    </EmptyState>
  );
}

export function JobState({ status, duration }: Pick<JobProps, "duration" | "status">) {
  return (
    <>
      <StatusBadge status={status} /> {duration}
    </>
  );
}

const BODY = "job-body";
const STATE = "job-state";
const stepId = (position: number) => `step-${position}`;
const rowsId = (position: number) => `rows-${position}`;

/** @param replaces the one in the page, as this is sent later */
function StepBox({ step, href, replaces }: { step: ShownStep; href: string; replaces?: boolean }) {
  const t = useWords(runsWords);
  const { from, position, rows, status, to } = step;
  const isEmpty = to <= from;
  // Steps that the page requested are open; of updates, only steps still running.
  const isOpen = rows !== undefined && !isEmpty && !(replaces && isDone(status));
  return (
    <details class="job-step" id={stepId(position)} open={isOpen} hx-swap-oob={replaces ? "true" : undefined}>
      <StepSummary step={step} />
      <div class="job-log" id={rowsId(position)}>
        {rows ? raw(logHtml(rows, from)) : null}
        {rows || isEmpty ? null : (
          <p class="log-line">
            <a
              href={`${withQuery(href, { step: position })}#${stepId(position)}`}
              hx-get={withQuery(`${href}/rows`, { step: position })}
              hx-trigger={`click, toggle from:#${stepId(position)} once`}
              hx-target={`#${rowsId(position)}`}
              hx-swap="innerHTML"
            >
              {t("showRows", { count: to - from })}
            </a>
          </p>
        )}
      </div>
    </details>
  );
}

/** @param replaces the one in the page, as this is sent later */
function StepSummary({ step, replaces }: { step: ShownStep; replaces?: boolean }) {
  const { duration, name, position, status } = step;
  return (
    <summary id={`${stepId(position)}-head`} hx-swap-oob={replaces ? "true" : undefined}>
      <StatusMark status={status} />
      <span class="grow">{name}</span>
      <span class="muted">{duration}</span>
    </summary>
  );
}

/** Polls for new rows until the job is done. */
function FollowLog({ href, next }: { href: string; next: number }) {
  return (
    <div
      id="follow-log"
      hx-get={withQuery(`${href}/follow`, { next })}
      hx-trigger="load delay:1s"
      hx-swap="outerHTML"
    />
  );
}

/** The response to a step's link. */
export function StepRows({ rows, from, left }: { rows: readonly LogRow[]; from: number; left: number }) {
  const t = useWords(runsWords);
  return (
    <>
      {raw(logHtml(rows, from))}
      {left > 0 ? <p class="log-line muted">{t("rowsLeft", { count: left })}</p> : null}
    </>
  );
}

/** New rows, appended to their steps, and the status of these and of the job. */
export function FollowedLog(
  props: Pick<JobProps, "duration" | "href" | "next" | "status" | "steps"> & {
    /** The first row that was requested. */
    since: number;
  },
) {
  const { duration, href, next, since, status, steps } = props;
  return (
    <>
      {/* An empty response would leave the previous one in place. */}
      {next === undefined ? <span hidden /> : <FollowLog href={href} next={next} />}
      {steps.map((step) => {
        const { from, position, rows = [] } = step;
        // A step that has just started opens, and "Set up job" passes rows on to the first step that starts.
        if (rows.length > 0 && from >= since && (step.status === Status.running || position === 0))
          return <StepBox step={step} href={href} replaces />;
        return (
          <>
            <StepSummary step={step} replaces />
            {rows.length > 0 ? (
              <div hx-swap-oob={`beforeend:#${rowsId(position)}`}>{raw(logHtml(rows, from))}</div>
            ) : null}
          </>
        );
      })}
      <div hx-swap-oob={`innerHTML:#${STATE}`}>
        <JobState status={status} duration={duration} />
      </div>
    </>
  );
}
