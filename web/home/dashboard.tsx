import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { ALL_EVENTS, LivePart, LiveStream, REPO_LIST_EVENTS } from "../components/live-part.tsx";
import { Count, Pager } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { repoHref, withQuery } from "../links.ts";
import { type RepoListItem, repoIcon } from "../repos/repo-list.tsx";
import { type Activity, ActivityFeed } from "./activity.tsx";
import { HeatMap, type HeatMapProps } from "./heat-map.tsx";
import { homeWords } from "./words/index.ts";

export interface DashboardRepos {
  readonly items: readonly RepoListItem[];
  /** The total with this filter. */
  readonly total: number;
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
}

/** Events that refresh the feed and the cards beside it. */
const MAIN_EVENTS = [
  "activity.changed",
  "issue.assignee-changed",
  "repo.transfer-started",
  "repo.transfer-ended",
  "repo.deleted",
  "repo.hidden",
];

/** `GET /` for a signed-in user: the panels that the areas contribute. */
export function DashboardPage({ shell, main, side }: { shell: Shell; main: Children[]; side: Children[] }) {
  const t = useWords(homeWords);
  return (
    <PageFrame shell={shell} title={[t("dashboard")]} width="wide">
      <h1 class="hidden-text">{t("dashboard")}</h1>
      <LiveStream events={ALL_EVENTS}>
        <div class="with-side dashboard">
          <LivePart id="dashboard-main" class="stack" here="/" on={MAIN_EVENTS}>
            {main}
          </LivePart>
          <div class="stack">{side}</div>
        </div>
      </LiveStream>
    </PageFrame>
  );
}

export function ActivityCard({ items }: { items: readonly Activity[] }) {
  const t = useWords(homeWords);
  return (
    <Card title={t("recentActivity")} flush>
      <ActivityFeed items={items} />
    </Card>
  );
}

export function HeatMapCard(props: HeatMapProps) {
  const t = useWords(homeWords);
  return (
    <Card title={t("lastYear")}>
      <HeatMap {...props} />
    </Card>
  );
}

export function ReposCard({ repos }: { repos: DashboardRepos }) {
  const t = useWords(homeWords);
  return (
    <Card
      title={t("repositories")}
      flush
      actions={
        <>
          <Count value={repos.total} />
          <LinkButton href="/repo/create" icon="plus" small>
            {t("new")}
          </LinkButton>
        </>
      }
    >
      <search>
        <form class="list-row dashboard-find" method="get" action="/">
          <input
            type="search"
            name="q"
            value={repos.query}
            aria-label={t("findRepository")}
            placeholder={t("findRepository")}
            autocomplete="off"
            data-hotkey="/,s"
            hx-get="/"
            hx-trigger="input changed delay:200ms"
            hx-target="#dashboard-repos"
            hx-select="#dashboard-repos"
            hx-swap="outerHTML"
            hx-sync="this:replace"
          />
        </form>
      </search>
      <DashboardRepoList repos={repos} />
    </Card>
  );
}

/** The list in the card, which the card's search field replaces. */
export function DashboardRepoList({ repos }: { repos: DashboardRepos }) {
  const t = useWords(homeWords);
  const query = repos.query === "" ? "/" : `/?q=${encodeURIComponent(repos.query)}`;
  const pages = Math.ceil(repos.total / repos.perPage);
  const at = (page: number) => `${query}${query.includes("?") ? "&" : "?"}page=${page}`;
  return (
    <LivePart
      id="dashboard-repos"
      here={withQuery("/", { page: repos.page > 1 ? repos.page : undefined })}
      on={REPO_LIST_EVENTS}
      include=".dashboard-find"
    >
      {repos.items.length === 0 ? (
        <NoRepos query={repos.query} />
      ) : (
        <ul class="short-list">
          {repos.items.map((repo) => (
            <li>
              <a class="menu-item" href={repoHref(repo)}>
                <Icon name={repoIcon(repo)} />
                <span class="clip">
                  {repo.owner}/<strong>{repo.name}</strong>
                </span>
                {repo.isArchived ? <Badge tone="warn">{t("archived")}</Badge> : null}
              </a>
            </li>
          ))}
        </ul>
      )}
      {pages > 1 ? (
        <div class="list-row">
          <Pager
            label={t("repositoryPages")}
            newer={repos.page > 1 ? at(repos.page - 1) : undefined}
            older={repos.page < pages ? at(repos.page + 1) : undefined}
          />
        </div>
      ) : null}
    </LivePart>
  );
}

function NoRepos({ query }: { query: string }) {
  const t = useWords(homeWords);
  if (query !== "") return <p class="list-row muted">{t("noMatch")}</p>;
  return (
    <EmptyState
      icon="repo"
      title={t("noRepositories")}
      action={
        <LinkButton href="/repo/create" kind="primary">
          {t("newRepository")}
        </LinkButton>
      }
    >
      {t("noRepositoriesHint")}
    </EmptyState>
  );
}
