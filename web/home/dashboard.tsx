import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Count, Pager } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { type RepoListItem, repoIcon } from "../repos/repo-list.tsx";
import { type Activity, ActivityFeed } from "./activity.tsx";

export interface DashboardRepos {
  readonly items: readonly RepoListItem[];
  /** How many there are with this filter. */
  readonly total: number;
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
}

export interface DashboardProps {
  readonly shell: Shell;
  readonly repos: DashboardRepos;
  readonly activity: readonly Activity[];
  /** Older activity. */
  readonly older?: string;
  readonly newer?: string;
}

/** `GET /` for someone signed in. */
export function DashboardPage({ shell, repos, activity, older, newer }: DashboardProps) {
  return (
    <PageFrame shell={shell} title={["Dashboard"]} width="wide">
      <h1 class="hidden-text">Dashboard</h1>
      <div class="with-side dashboard">
        <Card title="Recent activity" flush>
          <ActivityFeed items={activity} />
          {older || newer ? (
            <div class="list-row">
              <Pager older={older} newer={newer} label="Pages of the activity" />
            </div>
          ) : null}
        </Card>
        <Card
          title="Repositories"
          flush
          actions={
            <>
              <Count value={repos.total} />
              <LinkButton href="/repo/create" icon="plus" small>
                New
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
                aria-label="Find a repository"
                placeholder="Find a repository"
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
      </div>
    </PageFrame>
  );
}

/** The list of the right column; also the fragment that answers its field. */
export function DashboardRepoList({ repos }: { repos: DashboardRepos }) {
  const query = repos.query === "" ? "/" : `/?q=${encodeURIComponent(repos.query)}`;
  const pages = Math.ceil(repos.total / repos.perPage);
  const at = (page: number) => `${query}${query.includes("?") ? "&" : "?"}page=${page}`;
  return (
    <div id="dashboard-repos">
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
                {repo.isArchived ? <Badge tone="warn">Archived</Badge> : null}
              </a>
            </li>
          ))}
        </ul>
      )}
      {pages > 1 ? (
        <div class="list-row">
          <Pager
            label="Pages of the repositories"
            newer={repos.page > 1 ? at(repos.page - 1) : undefined}
            older={repos.page < pages ? at(repos.page + 1) : undefined}
          />
        </div>
      ) : null}
    </div>
  );
}

function NoRepos({ query }: { query: string }) {
  if (query !== "") return <p class="list-row muted">No repository of yours is called that.</p>;
  return (
    <EmptyState
      icon="repo"
      title="No repositories yet"
      action={
        <LinkButton href="/repo/create" kind="primary">
          New repository
        </LinkButton>
      }
    >
      Create one, or push to an address that does not exist yet.
    </EmptyState>
  );
}
