import { Avatar } from "../components/avatar.tsx";
import { Icon } from "../components/icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { ALL_EVENTS, LivePart, LiveStream, MOVING_LIST_EVENTS } from "../components/live-part.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { RepoList, type RepoListItem, useRepoSorts } from "../repos/repo-list.tsx";
import { RepoFilterBar, type RepoLanguage } from "./repo-filters.tsx";
import { filterFields, type RepoQuery } from "./repo-query.ts";
import { exploreWords } from "./words/index.ts";

const USER_SORTS = ["newest", "oldest", "alphabetically", "reversealphabetically"] as const;

/** @param props.current the id of the tab the page belongs to */
export function ExploreFrame(props: { shell: Shell; current: string; title: string; children: Children }) {
  const t = useWords(exploreWords);
  const language = useLanguage();
  return (
    <PageFrame shell={props.shell} title={[props.title, t("explore")]}>
      <h1>{t("explore")}</h1>
      <Tabs
        label={t("explore")}
        tabs={props.shell.contributions.exploreTabs.map(({ id, label, icon, href }) => ({
          label: label(language),
          icon,
          href,
          current: id === props.current,
        }))}
      />
      {props.children}
    </PageFrame>
  );
}

export interface ExploreReposProps {
  readonly shell: Shell;
  readonly repos: readonly RepoListItem[];
  readonly asked: RepoQuery;
  /** The main languages of the results, regardless of the language filter. */
  readonly languages: readonly RepoLanguage[];
  readonly pages: PageOf;
}

export const EXPLORE_REPOS = "/explore/repos";

/** `GET /explore/repos`. */
export function ExploreReposPage({ shell, repos, asked, languages, pages }: ExploreReposProps) {
  const t = useWords(exploreWords);
  return (
    <ExploreFrame shell={shell} current="repos" title={t("repositories")}>
      <ListSearch
        action={EXPLORE_REPOS}
        query={asked.query}
        sort={asked.sort}
        sorts={useRepoSorts()}
        label={t("searchRepositories")}
        keep={filterFields(asked.filters)}
      />
      <LiveStream events={ALL_EVENTS}>
        <LivePart id="found" class="stack" on={MOVING_LIST_EVENTS}>
          <Card flush>
            <RepoFilterBar page={EXPLORE_REPOS} asked={asked} languages={languages} />
            <RepoList repos={repos} empty={<NoMatch query={asked.query} none={t("noRepositories")} />} />
          </Card>
          <Pagination of={pages} />
        </LivePart>
      </LiveStream>
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
  readonly which: "users" | "organizations";
  readonly users: readonly ExploreUser[];
  readonly query: string;
  readonly sort: string;
  readonly pages: PageOf;
}

/** `GET /explore/users` and `GET /explore/organizations`. */
export function ExploreUsersPage(props: ExploreUsersProps) {
  const t = useWords(exploreWords);
  return (
    <ExploreFrame shell={props.shell} current={props.which} title={t(props.which)}>
      <ListSearch
        action={`/explore/${props.which}`}
        query={props.query}
        sort={props.sort}
        sorts={USER_SORTS.map((value) => ({ value, label: t(value) }))}
        label={t(props.which === "users" ? "searchUsers" : "searchOrganizations")}
      />
      <LiveStream events={ALL_EVENTS}>
        <LivePart id="found" class="stack" on={["user.created", "user.renamed"]}>
          <Card flush>
            {props.users.length === 0 ? (
              <NoMatch query={props.query} none={t(props.which === "users" ? "noUsers" : "noOrganizations")} />
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
                        <Time at={user.joinedAt} text={t("joined", { time: TIME })} />
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Pagination of={props.pages} />
        </LivePart>
      </LiveStream>
    </ExploreFrame>
  );
}

function NoMatch({ query, none }: { query: string; none: string }) {
  const t = useWords(exploreWords);
  return query === "" ? (
    <EmptyState icon="search" title={none} />
  ) : (
    <EmptyState icon="search" title={t("noMatch")}>
      {t("noMatchHint")}
    </EmptyState>
  );
}
