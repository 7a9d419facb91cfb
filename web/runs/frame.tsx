import type { Status } from "../../src/actions/runs/statuses.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { LivePart, LiveStream } from "../components/live-part.tsx";
import { PageSheet } from "../components/page-module.tsx";
import { Menu } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { type SettingsLink, SideMenu } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, repoHref, withQuery } from "../links.ts";
import { RUN_EVENTS, type RunRights, type ShownRef } from "./list.tsx";
import { iconOf, StatusBadge, StatusMark, statusWord } from "./look.tsx";
import { runsWords } from "./words/index.ts";

/** A run as shown at the top of its pages. */
export interface ShownRun {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly workflow: string;
  /** The list of its workflow's runs. */
  readonly workflowHref: string;
  readonly event: string;
  readonly ref: ShownRef;
  readonly pull: ShownRef | undefined;
  readonly commit: string;
  readonly person: Person;
  readonly at: Instant;
  readonly status: Status;
  readonly duration: string | undefined;
  readonly attempts: readonly ShownAttempt[];
  readonly may: RunRights;
}

export interface ShownAttempt {
  readonly attempt: number;
  readonly status: Status;
  readonly person: Person;
  readonly at: Instant;
  readonly href: string;
  readonly isShown: boolean;
}

export interface JobItem {
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  readonly href: string;
  /** How deeply it is nested in workflow calls. */
  readonly depth: number;
}

export interface RunFrameProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** `/ada/tools/actions/runs/7`, with the attempt unless it is the last. */
  readonly base: string;
  readonly run: ShownRun;
  readonly jobs: readonly JobItem[];
  /** The job shown; undefined: the run as a whole. */
  readonly job: number | undefined;
}

/** The content of a run's summary page, which is refreshed together with its header. */
export const SUMMARY = "run-summary";

/** The frame of a run's pages: its header, and its jobs at the side. */
export function RunFrame({ frame, children }: { frame: RunFrameProps; children: Children }) {
  const t = useWords(runsWords);
  const { base, job, jobs, repo, run, shell } = frame;
  const shown = jobs.find(({ id }) => id === job);
  // Without the rows of a log.
  const here = withQuery(base, { job });
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="actions"
      title={[...(shown ? [shown.name] : []), t("runTitle", { title: run.title, number: run.number })]}
      noIndex
    >
      <PageSheet name="runs" />
      <LiveStream events={repoHref(repo, "-/events")}>
        <LivePart
          id="run-head"
          here={here}
          on={RUN_EVENTS}
          also={job === undefined ? ["run-menu", SUMMARY] : ["run-menu"]}
        >
          <RunHead frame={frame} />
        </LivePart>
        <div class="settings">
          <div id="run-menu" class="settings-menu">
            <SideMenu
              label={t("jobs")}
              links={[
                { label: t("summary"), href: base, icon: "home", current: job === undefined },
                ...jobs.map((one) => linkOf(one, job)),
              ]}
            />
          </div>
          <div class="settings-body settings-full">
            <h1>{shown?.name ?? t("summary")}</h1>
            {children}
          </div>
        </div>
      </LiveStream>
    </RepoPage>
  );
}

const linkOf = ({ depth, href, id, name, status }: JobItem, job: number | undefined): SettingsLink => ({
  label: `${"› ".repeat(depth)}${name}`,
  href,
  icon: <StatusMark status={status} />,
  current: id === job,
});

function RunHead({ frame }: { frame: RunFrameProps }) {
  const t = useWords(runsWords);
  const { repo, run } = frame;
  const { at, attempts, commit, duration, event, number, person, pull, ref, status, title, workflow, workflowHref } =
    run;
  return (
    <div class="run-head">
      <div class="page-head">
        <p class="run-title">
          <strong>{title}</strong> <span class="muted">#{number}</span>
        </p>
        <RunButtons frame={frame} />
      </div>
      <p class="run-facts">
        <span id="run-status">
          <StatusBadge status={status} />
        </span>
        <a href={workflowHref}>{workflow}</a>
        <span>{t.jsx("byEvent", { event: <code>{event}</code>, person: <PersonName person={person} /> })}</span>
        {pull ? <RefLink to={pull} icon="git-pull-request" /> : <RefLink to={ref} icon="git-branch" />}
        <a href={commitHref(repo, commit)}>
          <code>{commit.slice(0, 10)}</code>
        </a>
        <span>
          <Icon name="calendar" /> <Time at={at} />
        </span>
        {duration === undefined ? null : (
          <span>
            <Icon name="clock" /> {duration}
          </span>
        )}
        {attempts.length > 1 ? <Attempts attempts={attempts} /> : null}
      </p>
    </div>
  );
}

function RefLink({ to, icon }: { to: ShownRef; icon: "git-branch" | "git-pull-request" }) {
  return (
    <span class="clip">
      <Icon name={icon} /> {to.href === undefined ? to.label : <a href={to.href}>{to.label}</a>}
    </span>
  );
}

function Attempts({ attempts }: { attempts: readonly ShownAttempt[] }) {
  const t = useWords(runsWords);
  const shown = attempts.find(({ isShown }) => isShown)?.attempt ?? attempts.length;
  return (
    <Menu
      name={t("attempts")}
      label={
        <>
          {t("attempt", { number: shown })} <Icon name="triangle-down" />
        </>
      }
    >
      <ul>
        {attempts.map((one) => (
          <li>
            <a class="menu-item" href={one.href} aria-current={one.isShown ? "true" : undefined}>
              <Icon name={iconOf(one.status)} /> {t("attempt", { number: one.attempt })}
              <span class="hidden-text">{t(statusWord(one.status))}</span>
              <span class="muted">
                {one.person.name}, <Time at={one.at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function RunButtons({ frame: { base, run } }: { frame: RunFrameProps }) {
  const t = useWords(runsWords);
  const { may } = run;
  const button = (is: boolean, sub: string, label: string, kind: "primary" | "normal" | "danger" = "normal") =>
    is ? (
      <form method="post" action={`${base}/${sub}`}>
        <SubmitButton small kind={kind}>
          {label}
        </SubmitButton>
      </form>
    ) : null;
  return (
    <div class="row">
      {button(may.approve, "approve", t("approve"), "primary")}
      {button(may.cancel, "cancel", t("cancel"))}
      {button(may.rerunFailed, "rerun-failed", t("rerunFailed"))}
      {button(may.rerun, "rerun", t("rerun"))}
      {button(may.delete, "delete", t("deleteRun"), "danger")}
    </div>
  );
}
