import type { Status } from "../../src/actions/runs/statuses.ts";
import { workflowFolders } from "../../src/actions/workflows/folders.ts";
import type { Translate } from "../../src/language/catalogue.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { ListBar, type ListFilter, type ListState } from "../components/list-bar.tsx";
import { LivePart, LiveStream } from "../components/live-part.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { PageSheet } from "../components/page-module.tsx";
import { Badge, Card, EmptyState, Notice, RowMenu } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { SettingsFrame, type SettingsLink } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, repoHref, withQuery } from "../links.ts";
import { DispatchForm, type DispatchProps } from "./dispatch.tsx";
import { StatusMark } from "./look.tsx";
import { runsWords } from "./words/index.ts";

/** A branch, a tag or a pull request that a run was started for. */
export interface ShownRef {
  readonly label: string;
  /** undefined: it was deleted, or there is none. */
  readonly href: string | undefined;
}

export interface RunItem {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  /** The workflow's name. */
  readonly workflow: string;
  readonly event: string;
  readonly ref: ShownRef;
  readonly commit: string;
  readonly person: Person;
  readonly at: Instant;
  readonly status: Status;
  /** "1m5s"; undefined: not started. */
  readonly duration: string | undefined;
  readonly may: RunRights;
}

/** What the viewer may do with a run in its current state. */
export interface RunRights {
  readonly cancel: boolean;
  readonly approve: boolean;
  readonly rerun: boolean;
  readonly rerunFailed: boolean;
  readonly delete: boolean;
}

export interface WorkflowItem {
  readonly id: string;
  readonly name: string;
  /** The file. */
  readonly href: string;
  readonly isEnabled: boolean;
  readonly problem: string | undefined;
}

export interface RunListProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly workflows: readonly WorkflowItem[];
  /** The workflow whose runs are listed; undefined: all. */
  readonly workflow: string | undefined;
  readonly states: readonly ListState[];
  readonly filters: readonly ListFilter[];
  /** Labels that waiting jobs need and no online runner has. */
  readonly missingLabels: readonly string[];
  readonly runs: readonly RunItem[];
  readonly pages: PageOf;
  /** The form that starts the workflow; undefined when it cannot be started manually, or not by the viewer. */
  readonly dispatch: DispatchProps | undefined;
  readonly maySwitch: boolean;
  readonly hasFilters: boolean;
}

/** Events that refresh a page of runs. */
export const RUN_EVENTS = ["actions.run-changed", "actions.job-changed"];

/** `GET {W}/actions`: runs, newest first, with the workflows at the side. */
export function RunListPage(props: RunListProps) {
  const t = useWords(runsWords);
  const { dispatch, filters, missingLabels, pages, repo, shell, states, workflow, workflows } = props;
  const base = repoHref(repo, "actions");
  const one = workflows.find(({ id }) => id === workflow);
  return (
    <RepoPage shell={shell} repo={repo} tab="actions" title={[t("actions")]}>
      <PageSheet name="runs" />
      <SettingsFrame
        wide
        title={one?.name ?? t("allWorkflows")}
        menuLabel={t("workflows")}
        links={workflowLinks(t, base, workflows, workflow)}
      >
        {one ? <WorkflowHead base={base} workflow={one} maySwitch={props.maySwitch} /> : null}
        {dispatch ? <DispatchForm {...dispatch} /> : null}
        {missingLabels.length > 0 ? (
          <Notice kind="warning">
            <p>{t("noRunnerOnline", { labels: missingLabels.join(", ") })}</p>
          </Notice>
        ) : null}
        <LiveStream events={repoHref(repo, "-/events")}>
          <LivePart id="runs" on={RUN_EVENTS}>
            <Card flush>
              <ListBar label={t("status")} states={states} filters={filters} />
              <Runs {...props} />
            </Card>
            <Pagination of={pages} />
          </LivePart>
        </LiveStream>
      </SettingsFrame>
    </RepoPage>
  );
}

function workflowLinks(
  t: Translate<typeof runsWords.source>,
  base: string,
  workflows: readonly WorkflowItem[],
  current: string | undefined,
): SettingsLink[] {
  const all = { label: t("allWorkflows"), href: base, icon: "play", current: current === undefined } as const;
  const each = workflows.map(
    ({ id, isEnabled, name, problem }): SettingsLink => ({
      label: name,
      href: withQuery(base, { workflow: id }),
      icon: problem === undefined ? (isEnabled ? "play" : "blocked") : "alert",
      current: id === current,
      ...(problem === undefined ? (isEnabled ? {} : { note: t("disabled") }) : { note: t("invalid") }),
    }),
  );
  return [all, ...each];
}

/** The workflow's file, why it cannot be parsed, and whether it is enabled. */
function WorkflowHead(props: { base: string; workflow: WorkflowItem; maySwitch: boolean }) {
  const t = useWords(runsWords);
  const { base, maySwitch, workflow } = props;
  const { href, id, isEnabled, problem } = workflow;
  const action = withQuery(`${base}/${isEnabled ? "disable" : "enable"}`, { workflow: id });
  return (
    <>
      <div class="row">
        <a class="grow" href={href}>
          <code>{id}</code>
        </a>
        {isEnabled ? null : <Badge>{t("disabled")}</Badge>}
        {maySwitch ? (
          <form method="post" action={action}>
            <SubmitButton small>{t(isEnabled ? "disableWorkflow" : "enableWorkflow")}</SubmitButton>
          </form>
        ) : null}
      </div>
      {problem === undefined ? null : (
        <Notice kind="error">
          <p>
            {t("workflowInvalid")} <code>{problem}</code>
          </p>
        </Notice>
      )}
    </>
  );
}

function Runs({ hasFilters, repo, runs, workflows }: RunListProps) {
  const t = useWords(runsWords);
  if (runs.length > 0)
    return (
      <ul class="list">
        {runs.map((run) => (
          <RunRow run={run} repo={repo} />
        ))}
      </ul>
    );
  if (hasFilters) return <EmptyState icon="play" title={t("noMatch")} />;
  return (
    <EmptyState icon="play" title={t("noRuns")}>
      {workflows.length === 0 ? t("noWorkflowsHint", { folders: workflowFolders.join(", ") }) : t("noRunsHint")}
    </EmptyState>
  );
}

function RunRow({ run, repo }: { run: RunItem; repo: RepoFrameProps }) {
  const t = useWords(runsWords);
  const { commit, duration, event, id, may, number, person, ref, title, workflow } = run;
  const href = repoHref(repo, `actions/runs/${id}`);
  return (
    <li class="run-row">
      <StatusMark status={run.status} />
      <div class="grow">
        <a class="strong" href={href}>
          {title}
        </a>
        <p class="muted">
          {workflow} #{number}:{" "}
          {t.jsx("byEvent", { event: <code>{event}</code>, person: <PersonName person={person} /> })}
        </p>
      </div>
      <p class="run-facts muted">
        <span class="clip">{ref.href === undefined ? ref.label : <a href={ref.href}>{ref.label}</a>}</span>
        <a href={commitHref(repo, commit)}>
          <code>{commit.slice(0, 10)}</code>
        </a>
        <span>
          <Icon name="calendar" /> <Time at={run.at} />
        </span>
        {duration === undefined ? null : (
          <span>
            <Icon name="clock" /> {duration}
          </span>
        )}
      </p>
      {Object.values(may).includes(true) ? (
        <RowMenu name={t("moreAbout", { title })}>
          <RunMenu href={href} may={may} />
        </RowMenu>
      ) : null}
    </li>
  );
}

/** Actions for a run, as entries of a menu. */
function RunMenu({ href, may }: { href: string; may: RunRights }) {
  const t = useWords(runsWords);
  const entry = (is: boolean, sub: string, label: string, danger?: boolean) =>
    is ? (
      <li>
        <form method="post" action={`${href}/${sub}`}>
          <button type="submit" class={danger ? "menu-item menu-danger" : "menu-item"}>
            {label}
          </button>
        </form>
      </li>
    ) : null;
  return (
    <>
      {entry(may.approve, "approve", t("approve"))}
      {entry(may.cancel, "cancel", t("cancel"))}
      {entry(may.rerun, "rerun", t("rerun"))}
      {entry(may.rerunFailed, "rerun-failed", t("rerunFailed"))}
      {entry(may.delete, "delete", t("deleteRun"), true)}
    </>
  );
}
