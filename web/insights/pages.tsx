import type { WeekCount } from "../../src/git/contributors/contributors.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { Chart } from "../components/chart.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { PageSheet } from "../components/page-module.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { bucketsOf } from "./buckets.ts";
import { type Happened, HappenedCards } from "./happened.tsx";
import { PERIODS, type Period } from "./periods.ts";
import { PunchCard } from "./punch-card.tsx";
import { insightsWords } from "./words/index.ts";

const MAX_BARS = 104;
const MAX_SMALL_BARS = 40;

export interface AuthorItem {
  readonly person: Person;
  readonly commits: number;
}

interface FrameProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
}

type Section = "pulse" | "contributors" | "code-frequency" | "recent-commits";
const SECTIONS: readonly Section[] = ["pulse", "contributors", "code-frequency", "recent-commits"];

function InsightsFrame({ shell, repo, section, children }: FrameProps & { section: Section; children: Children }) {
  const t = useWords(insightsWords);
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="activity"
      title={[t(section), t("activity")]}
      noIndex={section !== "pulse"}
    >
      <h1 class="hidden-text">{t(section)}</h1>
      <PageSheet name="insights" />
      <ListBar
        label={t("activity")}
        states={SECTIONS.map((each) => ({
          label: t(each),
          href: repoHref(repo, each === "pulse" ? "activity" : `activity/${each}`),
          current: each === section,
        }))}
      />
      {children}
    </RepoPage>
  );
}

function Counting() {
  const t = useWords(insightsWords);
  return (
    <Notice kind="info">
      <p>{t("counting")}</p>
    </Notice>
  );
}

export interface PulseProps extends FrameProps {
  readonly period: Period;
  readonly commits: number;
  readonly merges: number;
  readonly authors: readonly AuthorItem[];
  readonly authorCount: number;
  readonly happened: Happened;
}

/** `GET {W}/activity[/{period}]`. */
export function PulsePage({ period, commits, merges, authors, authorCount, happened, ...frame }: PulseProps) {
  const t = useWords(insightsWords);
  const language = useLanguage();
  const largest = Math.max(1, ...authors.map((author) => author.commits));
  return (
    <InsightsFrame {...frame} section="pulse">
      <nav class="periods" aria-label={t("period")}>
        {(Object.keys(PERIODS) as Period[]).map((each) => (
          <a href={repoHref(frame.repo, `activity/${each}`)} aria-current={each === period ? "true" : undefined}>
            {t(`last-${each}`)}
          </a>
        ))}
      </nav>
      <Card title={t("codeIn", { branch: frame.repo.defaultBranch })}>
        <p>
          {t("commitsBy", { count: commits, authors: t("authorCount", { count: authorCount }) })}{" "}
          <span class="muted">{t("mergesBesides", { count: merges })}</span>
        </p>
        {authors.length === 0 ? null : (
          <ol class="authors">
            {authors.map((author) => (
              <li>
                <Avatar person={author.person} />
                <PersonName person={author.person} />
                <meter min={0} max={largest} value={author.commits} aria-hidden="true" />
                <span class="num">{language.number(author.commits)}</span>
              </li>
            ))}
          </ol>
        )}
      </Card>
      <HappenedCards repo={frame.repo} {...happened} />
    </InsightsFrame>
  );
}

export interface ContributorsProps extends FrameProps {
  /** Absent while being counted. */
  readonly weeks?: readonly WeekCount[];
  readonly authorCount?: number;
  readonly hasLines: boolean;
  readonly authors: readonly (AuthorItem & {
    readonly additions: number;
    readonly deletions: number;
    readonly weeks: readonly WeekCount[];
  })[];
}

/** `GET {W}/activity/contributors`. */
export function ContributorsPage({ weeks, authorCount, authors, hasLines, ...frame }: ContributorsProps) {
  const t = useWords(insightsWords);
  const language = useLanguage();
  const [from, until] = [weeks?.[0]?.[0], weeks?.at(-1)?.[0]];
  return (
    <InsightsFrame {...frame} section="contributors">
      {weeks === undefined ? (
        <Counting />
      ) : (
        <>
          <Chart kind="bars" title={t("commitsOverTime")} points={usePoints(bucketsOf(weeks, MAX_BARS), 1)} />
          <p class="muted">{t("authorCount", { count: authorCount ?? 0 })}</p>
          <ol class="contributors">
            {authors.map((author) => (
              <li class="card">
                <p class="row">
                  <Avatar person={author.person} size={32} />
                  <PersonName person={author.person} />
                  <span class="grow" />
                  <span class="muted">{t("commitCount", { count: author.commits })}</span>
                  {hasLines ? (
                    <span class="changed">
                      <span class="plus">+{language.shortNumber(author.additions)}</span>
                      <span class="minus">−{language.shortNumber(author.deletions)}</span>
                    </span>
                  ) : null}
                </p>
                <Chart
                  kind="bars"
                  title={t("commitsOf", { name: author.person.name })}
                  points={usePoints(bucketsOf(author.weeks, MAX_SMALL_BARS, from, until), 1)}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </InsightsFrame>
  );
}

export interface CodeFrequencyProps extends FrameProps {
  readonly weeks?: readonly WeekCount[];
  readonly hasLines: boolean;
}

/** `GET {W}/activity/code-frequency`. */
export function CodeFrequencyPage({ weeks, hasLines, ...frame }: CodeFrequencyProps) {
  const t = useWords(insightsWords);
  const buckets = bucketsOf(weeks ?? [], MAX_BARS);
  return (
    <InsightsFrame {...frame} section="code-frequency">
      {weeks === undefined ? (
        <Counting />
      ) : hasLines ? (
        <>
          <Chart kind="bars" title={t("additions")} points={usePoints(buckets, 2)} />
          <Chart kind="bars" title={t("deletions")} points={usePoints(buckets, 3)} />
        </>
      ) : (
        <EmptyState icon="pulse" title={t("code-frequency")}>
          {t("tooLong")}
        </EmptyState>
      )}
    </InsightsFrame>
  );
}

export interface RecentCommitsProps extends FrameProps {
  readonly weeks?: readonly WeekCount[];
  readonly commits: number;
  readonly hours: readonly number[];
}

/** `GET {W}/activity/recent-commits`. */
export function RecentCommitsPage({ weeks, commits, hours, ...frame }: RecentCommitsProps) {
  const t = useWords(insightsWords);
  return (
    <InsightsFrame {...frame} section="recent-commits">
      <p class="muted">{t("lastYear", { count: commits })}</p>
      {weeks === undefined ? (
        <Counting />
      ) : (
        <Chart kind="bars" title={t("commitsAWeek")} points={usePoints(bucketsOf(weeks, MAX_BARS), 1)} />
      )}
      <PunchCard hours={hours} />
    </InsightsFrame>
  );
}

/** @param column of a week: 1 commits, 2 additions, 3 deletions */
function usePoints(buckets: readonly WeekCount[], column: 1 | 2 | 3) {
  const language = useLanguage();
  return buckets.map((bucket) => ({ label: language.day(bucket[0] * 1000), value: bucket[column] }));
}
