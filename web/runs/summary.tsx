import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { SubmitButton } from "../components/button.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { raw } from "../jsx/raw.ts";
import { useLanguage, useWords } from "../language.ts";
import { RunFrame, type RunFrameProps, SUMMARY } from "./frame.tsx";
import { type GraphJob, JobGraph } from "./graph.tsx";
import { StatusMark } from "./look.tsx";
import { runsWords } from "./words/index.ts";

export interface ArtifactItem {
  readonly name: string;
  readonly size: number;
  /** undefined: it has expired. */
  readonly href: string | undefined;
  readonly expiresAt: Instant;
}

/** A job's own summary in Markdown. */
export interface JobSummary {
  readonly job: string;
  readonly html: SafeHtml;
}

export interface RunSummaryProps {
  readonly frame: RunFrameProps;
  readonly jobs: readonly (GraphJob & { readonly id: number; readonly duration: string | undefined })[];
  readonly artifacts: readonly ArtifactItem[];
  readonly summaries: readonly JobSummary[];
  readonly workflowFile: string;
  readonly needsApproval: boolean;
  readonly mayDeleteArtifacts: boolean;
}

/** `GET {W}/actions/runs/{run}`: the job graph, artifacts and summaries. */
export function RunSummaryPage(props: RunSummaryProps) {
  const t = useWords(runsWords);
  const { frame, jobs, needsApproval, summaries, workflowFile } = props;
  return (
    <RunFrame frame={frame}>
      <div id={SUMMARY}>
        {needsApproval ? (
          <Notice kind="warning">
            <p>{t("needsApproval")}</p>
          </Notice>
        ) : null}
        <JobGraph jobs={jobs} />
        <Card title={t("jobs")} flush>
          {jobs.length === 0 ? (
            <EmptyState icon="play" title={t("noJobs")} />
          ) : (
            <ul class="list">
              {jobs.map(({ duration, href, name, status }) => (
                <li class="run-row">
                  <StatusMark status={status} />
                  <a class="grow" href={href}>
                    {name}
                  </a>
                  <span class="muted">{duration}</span>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Artifacts {...props} />
      </div>
      {summaries.map(({ html, job }) => (
        <Card title={t("summaryOf", { job })}>
          <div class="prose">{raw(html)}</div>
        </Card>
      ))}
      <p>
        <a href={workflowFile}>{t("workflowFile")}</a>
      </p>
    </RunFrame>
  );
}

function Artifacts({ artifacts, frame, mayDeleteArtifacts }: RunSummaryProps) {
  const t = useWords(runsWords);
  const language = useLanguage();
  if (artifacts.length === 0) return null;
  return (
    <Card title={t("artifacts")} flush>
      <ul class="list">
        {artifacts.map(({ expiresAt, href, name, size }) => (
          <li class="run-row">
            <span class="grow">
              {href === undefined ? <s>{name}</s> : <a href={href}>{name}</a>}{" "}
              <span class="muted">{language.size(size)}</span>
            </span>
            <span class="muted">
              {href === undefined ? t("expired") : <Time at={expiresAt} text={t("expiresAt", { time: TIME })} />}
            </span>
            {mayDeleteArtifacts && href !== undefined ? (
              <form method="post" action={`${frame.base}/artifacts/${encodeURIComponent(name)}/delete`}>
                <SubmitButton small kind="danger">
                  {t("delete")}
                </SubmitButton>
              </form>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
