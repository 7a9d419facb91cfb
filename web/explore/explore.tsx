import { Avatar } from "../components/avatar.tsx";
import { Icon } from "../components/icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { REPO_SORTS, RepoList, type RepoListItem } from "../repos/repo-list.tsx";

const USER_SORTS = [
  { value: "newest", label: "Newest" },
  { value: "oldest", label: "Oldest" },
  { value: "alphabetically", label: "Name, A to Z" },
  { value: "reversealphabetically", label: "Name, Z to A" },
] as const;

function ExploreFrame(props: { shell: Shell; current: "repos" | "users"; title: string; children: Children }) {
  return (
    <PageFrame shell={props.shell} title={[props.title, "Explore"]}>
      <h1>Explore</h1>
      <Tabs
        label="Explore"
        tabs={[
          { label: "Repositories", icon: "repo", href: "/explore/repos", current: props.current === "repos" },
          { label: "Users", icon: "people", href: "/explore/users", current: props.current === "users" },
        ]}
      />
      {props.children}
    </PageFrame>
  );
}

export interface ExploreReposProps {
  readonly shell: Shell;
  readonly repos: readonly RepoListItem[];
  readonly query: string;
  readonly sort: string;
  readonly pages: PageOf;
}

/** `GET /explore/repos`. */
export function ExploreReposPage(props: ExploreReposProps) {
  return (
    <ExploreFrame shell={props.shell} current="repos" title="Repositories">
      <ListSearch
        action="/explore/repos"
        query={props.query}
        sort={props.sort}
        sorts={REPO_SORTS}
        label="Search repositories"
      />
      <Card flush>
        <RepoList repos={props.repos} empty={<NoMatch query={props.query} what="repositories" />} />
      </Card>
      <Pagination of={props.pages} />
    </ExploreFrame>
  );
}

export interface ExploreUser {
  readonly name: string;
  readonly fullName: string;
  readonly avatarUrl?: string;
  readonly location?: string;
  readonly joinedAt: Instant;
}

export interface ExploreUsersProps {
  readonly shell: Shell;
  readonly users: readonly ExploreUser[];
  readonly query: string;
  readonly sort: string;
  readonly pages: PageOf;
}

/** `GET /explore/users`. */
export function ExploreUsersPage(props: ExploreUsersProps) {
  return (
    <ExploreFrame shell={props.shell} current="users" title="Users">
      <ListSearch
        action="/explore/users"
        query={props.query}
        sort={props.sort}
        sorts={USER_SORTS}
        label="Search users"
      />
      <Card flush>
        {props.users.length === 0 ? (
          <NoMatch query={props.query} what="users" />
        ) : (
          <ul class="list">
            {props.users.map((user) => (
              <li class="row">
                <Avatar person={user} size={32} />
                <div>
                  <p>
                    <a class="strong" href={userHref(user.name)}>
                      {user.name}
                    </a>{" "}
                    <span class="muted">{user.fullName}</span>
                  </p>
                  <p class="repo-facts">
                    {user.location ? (
                      <span>
                        <Icon name="location" /> {user.location}
                      </span>
                    ) : null}
                    <Time at={user.joinedAt} prefix="joined" />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
    </ExploreFrame>
  );
}

function NoMatch({ query, what }: { query: string; what: string }) {
  return query === "" ? (
    <EmptyState icon="search" title={`No ${what} to show`} />
  ) : (
    <EmptyState icon="search" title="No matching results found.">
      Try fewer or other words.
    </EmptyState>
  );
}
