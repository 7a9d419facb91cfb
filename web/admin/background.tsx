import type { SetAsideEvent } from "../../src/events/outbox.ts";
import type { ScheduleInfo } from "../../src/jobs/schedules.ts";
import type { JobInfo, JobState } from "../../src/jobs/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { LivePart, LiveStream } from "../components/live-part.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Progress } from "../components/progress.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { pageHref, withQuery } from "../links.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

export const BACKGROUND = "/-/admin/background";
export const JOB_STATES = ["waiting", "running", "failed", "cancelled", "done"] as const satisfies readonly JobState[];

const MAX_ERROR = 300;

export interface BackgroundProps {
  readonly shell: Shell;
  /** Only jobs in this state; undefined: all. */
  readonly state: JobState | undefined;
  readonly jobs: readonly JobInfo[];
  /** Number of jobs by state. */
  readonly counts: ReadonlyMap<JobState, number>;
  readonly pages: PageOf;
  readonly schedules: readonly ScheduleInfo[];
  /** Events that a consumer could not handle. */
  readonly events: readonly SetAsideEvent[];
}

/** `GET /-/admin/background`. */
export function BackgroundPage(props: BackgroundProps) {
  const t = useWords(adminWords);
  const states = [undefined, ...JOB_STATES].map((state) => ({
    label: state === undefined ? t("allJobs") : t(`job-${state}`),
    href: withQuery(BACKGROUND, { state }),
    current: state === props.state,
    ...(state && props.counts.get(state) ? { count: props.counts.get(state) ?? 0 } : {}),
  }));
  return (
    <AdminFrame shell={props.shell} page="background" title={t("background")}>
      {props.events.length === 0 ? null : <Events events={props.events} />}
      <Card title={t("jobs")} flush>
        <ListBar label={t("jobs")} states={states} />
        <LiveJobs href={pageHref(withQuery(BACKGROUND, { state: props.state }), props.pages.page)}>
          {props.jobs.length === 0 ? (
            <EmptyState icon="check-circle" title={t("noJobs")} />
          ) : (
            <Jobs jobs={props.jobs} />
          )}
        </LiveJobs>
      </Card>
      <Pagination of={props.pages} />
      <Schedules schedules={props.schedules} />
    </AdminFrame>
  );
}

/** `GET /-/admin/monitor/cron`. */
export function SchedulesPage({ shell, schedules }: Pick<BackgroundProps, "shell" | "schedules">) {
  const t = useWords(adminWords);
  return (
    <AdminFrame shell={shell} page="background" title={t("schedules")}>
      <Schedules schedules={schedules} />
    </AdminFrame>
  );
}

/**
 * A live list of jobs: when the server announces a change the list is fetched again, at most once a second. Without
 * JavaScript it stays as loaded.
 */
function LiveJobs({ href, children }: { href: string; children: Children }) {
  return (
    <LiveStream events={`${BACKGROUND}/-/events`}>
      <LivePart id="jobs" here={href} on={["job.changed"]} seconds={1}>
        {children}
      </LivePart>
    </LiveStream>
  );
}

function Jobs({ jobs }: { jobs: readonly JobInfo[] }) {
  const t = useWords(adminWords);
  return (
    <ul class="list">
      {jobs.map((job) => (
        <li class="list-row">
          <div class="row">
            <strong class="mono">{job.kind}</strong> <span class="muted">#{job.id}</span>
            <span>{t(`job-${job.state}`)}</span>
            <span class="muted">
              <Time at={job.finishedAt ?? job.startedAt ?? job.createdAt} />
            </span>
            <span class="grow" />
            <JobActions job={job} />
          </div>
          {job.payload === "{}" ? null : <p class="muted mono">{job.payload.slice(0, MAX_ERROR)}</p>}
          {job.state === "running" ? (
            <Progress
              label={job.progress || t("job-running")}
              {...(job.percent === null ? {} : { value: job.percent })}
            />
          ) : null}
          {job.lastError ? (
            <p>
              {t("triesFailed", { count: job.attempts })} <code>{job.lastError.slice(0, MAX_ERROR)}</code>
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function JobActions({ job }: { job: JobInfo }) {
  const t = useWords(adminWords);
  if (job.state === "done") return null;
  const hasEnded = job.state === "failed" || job.state === "cancelled";
  const id = `job-${job.id}-stop`;
  const label = t(hasEnded ? "discard" : "cancelJob");
  return (
    <>
      <form method="post" action={`${BACKGROUND}/jobs`} class="row">
        <input type="hidden" name="id" value={String(job.id)} />
        {hasEnded ? (
          <SubmitButton small name="action" value="retry">
            {t("retry")}
          </SubmitButton>
        ) : null}
        <OpenButton kind="danger" small opens={id}>
          {label}
        </OpenButton>
      </form>
      <QuestionDialog
        id={id}
        title={t(hasEnded ? "discardQuestion" : "cancelQuestion", { name: `${job.kind} #${job.id}` })}
        action={`${BACKGROUND}/jobs`}
        fields={{ id: String(job.id), action: hasEnded ? "discard" : "cancel" }}
        label={label}
      >
        {t(hasEnded ? "discardJobLead" : "cancelLead")}
      </QuestionDialog>
    </>
  );
}

function Schedules({ schedules }: { schedules: readonly ScheduleInfo[] }) {
  const t = useWords(adminWords);
  return (
    <Card title={t("schedules")} flush>
      <div class="table-box">
        <table class="table table-stack">
          <caption class="hidden-text">{t("schedules")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("schedule")}</th>
              <th scope="col">{t("times")}</th>
              <th scope="col">{t("nextRun")}</th>
              <th scope="col">{t("lastRun")}</th>
              <th scope="col">
                <span class="hidden-text">{t("runNow")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {schedules.map(({ name, cron, nextRunAt, lastRunAt, isIdle }) => (
              <tr>
                <th scope="row" class="mono wrap">
                  {name}
                  {isIdle ? <div class="hint">{t("nothingToDo")}</div> : null}
                </th>
                <td class="mono" data-label={t("times")}>
                  {cron}
                </td>
                <td data-label={t("nextRun")}>{nextRunAt === undefined ? t("never") : <Time at={nextRunAt} />}</td>
                <td data-label={t("lastRun")}>{lastRunAt === undefined ? t("never") : <Time at={lastRunAt} />}</td>
                <td class="end">
                  <form method="post" action={`${BACKGROUND}/schedules`}>
                    <input type="hidden" name="name" value={name} />
                    <SubmitButton small>{t("runNow")}</SubmitButton>
                  </form>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Events({ events }: { events: readonly SetAsideEvent[] }) {
  const t = useWords(adminWords);
  return (
    <Card title={t("eventsSetAside")} flush>
      <ul class="list">
        {events.map(({ consumer, event, error, tries, failedAt }) => (
          <li class="list-row">
            <div class="row">
              <strong class="mono">{event.kind}</strong> <span class="muted">#{event.id}</span>
              <span class="mono">{consumer}</span>
              <span class="muted">
                <Time at={failedAt} />
              </span>
              <span class="grow" />
              <form method="post" action={`${BACKGROUND}/events`} class="row">
                <input type="hidden" name="consumer" value={consumer} />
                <input type="hidden" name="event" value={String(event.id)} />
                <SubmitButton small name="action" value="retry">
                  {t("retry")}
                </SubmitButton>
                <OpenButton kind="danger" small opens={`discard-${consumer}-${event.id}`}>
                  {t("discard")}
                </OpenButton>
              </form>
              <QuestionDialog
                id={`discard-${consumer}-${event.id}`}
                title={t("discardQuestion", { name: `${event.kind} #${event.id}` })}
                action={`${BACKGROUND}/events`}
                fields={{ consumer, event: String(event.id), action: "discard" }}
                label={t("discard")}
              >
                {t("discardLead", { consumer })}
              </QuestionDialog>
            </div>
            <p>
              {t("triesFailed", { count: tries })} <code>{error.slice(0, MAX_ERROR)}</code>
            </p>
          </li>
        ))}
      </ul>
      <p class="list-row hint">{t("eventsSetAsideHint")}</p>
    </Card>
  );
}
