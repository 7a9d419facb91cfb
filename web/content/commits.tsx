import { segments } from "../../src/kernel/url-path.ts";
import type { Language } from "../../src/language/language.ts";
import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
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
  /** For a path: whether renames of a file are followed, and the link that toggles it. */
  readonly follow?: { readonly on: boolean; readonly href: string };
  /** Newest first. */
  readonly commits: readonly CommitSummary[];
  /** The search form; absent where there is nothing to search. */
  readonly search?: { readonly action: string; readonly query: string; readonly all: boolean };
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
        <span class="grow" />
        {props.follow ? (
          <LinkButton href={props.follow.href}>{props.follow.on ? t("thisNameOnly") : t("followRenames")}</LinkButton>
        ) : (
          <>
            <LinkButton href={repoHref(repo, "graph")}>{t("graph")}</LinkButton>
            <LinkButton href={repoHref(repo, "compare")} icon="git-compare">
              {t("compare")}
            </LinkButton>
          </>
        )}
      </div>
      {props.search ? <CommitSearchForm {...props.search} /> : null}
      {props.commits.length === 0 ? (
        <EmptyState icon="history" title={t("noCommits")}>
          {props.search?.query ? t("noCommitsFound") : path ? t("noCommitsOfPath") : t("noOlderCommits")}
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

/** The syntax of `readCommitSearch`, the same in every language. */
const SYNTAX = "author: committer: after:2024-01-31 before:";

function CommitSearchForm({ action, query, all }: NonNullable<CommitsProps["search"]>) {
  const t = useWords(contentWords);
  return (
    <search>
      <form class="search-form" method="get" action={action}>
        <input
          type="search"
          name="q"
          value={query}
          aria-label={t("searchCommits")}
          placeholder={t("searchCommits")}
          title={t("searchCommitsHint", { syntax: SYNTAX })}
          maxlength={500}
          data-hotkey="/,s"
        />
        <label class="search-all">
          <input type="checkbox" name="all" value="true" checked={all} /> {t("allBranches")}
        </label>
        <button type="submit" class="btn" title={t("search")}>
          <Icon name="search" /> <span class="wide-only">{t("search")}</span>
        </button>
      </form>
    </search>
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
