import { segments } from "../../src/kernel/url-path.ts";
import type { Language } from "../../src/language/language.ts";
import { Breadcrumb, Pager } from "../components/navigation.tsx";
import { type RefChoices, RefSelector } from "../components/ref-selector.tsx";
import { EmptyState } from "../components/surface.tsx";
import { isDate } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { feedLinks, type RefName, repoHref } from "../links.ts";
import { pathCrumbs } from "./code-bar.tsx";
import { CommitRow, type CommitSummary } from "./commit-line.tsx";
import { contentWords } from "./words/index.ts";

export interface CommitsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  /** Only commits that touch this path; empty for all. */
  readonly path: string;
  readonly refs: RefChoices;
  /** Newest first. */
  readonly commits: readonly CommitSummary[];
  readonly newer?: string;
  readonly older?: string;
}

/** `GET {W}/commits/{type}/{ref}[/{path}]`, grouped by day. */
export function CommitsPage(props: CommitsProps) {
  const { repo, at, path } = props;
  const language = useLanguage();
  const t = useWords(contentWords);
  return (
    <RepoPage
      shell={props.shell}
      repo={repo}
      tab="commits"
      title={[path ? t("historyOf", { path }) : t("commits")]}
      noIndex
      {...(at.kind === "branch" ? { feeds: feedsOf(repo, at, path) } : {})}
    >
      <h1 class="hidden-text">{path ? t("historyOf", { path }) : t("commitsOf", { ref: at.name })}</h1>
      <div class="code-bar">
        <RefSelector repo={repo} current={at} choices={props.refs} page="commits" path={path} />
        {path === "" ? null : <Breadcrumb crumbs={pathCrumbs(repo, at, path)} />}
      </div>
      {props.commits.length === 0 ? (
        <EmptyState icon="history" title={t("noCommits")}>
          {path ? t("noCommitsOfPath") : t("noOlderCommits")}
        </EmptyState>
      ) : (
        <div class="card">
          <ol class="list">
            {byDay(props.commits, language).map((day) => (
              <>
                <li class="day">
                  <h2>{day.label}</h2>
                </li>
                {day.commits.map((commit) => (
                  <CommitRow repo={repo} commit={commit} path={path === "" ? undefined : path} />
                ))}
              </>
            ))}
          </ol>
        </div>
      )}
      <Pager newer={props.newer} older={props.older} />
    </RepoPage>
  );
}

function feedsOf(repo: RepoFrameProps, at: RefName, path: string) {
  const place = path === "" ? segments(at.name) : `${segments(at.name)}/${segments(path)}`;
  return feedLinks(path || at.name, (form) => repoHref(repo, `${form}/branch/${place}`));
}

function byDay(commits: readonly CommitSummary[], language: Language): { label: string; commits: CommitSummary[] }[] {
  const days: { label: string; commits: CommitSummary[] }[] = [];
  for (const commit of commits) {
    const label = isDate(commit.at) ? language.day(commit.at) : contentWords.in(language)("unknownDate");
    const last = days.at(-1);
    if (last?.label === label) last.commits.push(commit);
    else days.push({ label, commits: [commit] });
  }
  return days;
}
