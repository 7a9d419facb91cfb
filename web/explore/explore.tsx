import { Avatar } from "../components/avatar.tsx";
import { Icon } from "../components/icon.tsx";
import { ListBar, type ListFilter } from "../components/list-bar.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { ALL_EVENTS, LivePart, LiveStream, MOVING_LIST_EVENTS } from "../components/live-part.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref, withQuery } from "../links.ts";
import { RepoList, type RepoListItem, useRepoSorts } from "../repos/repo-list.tsx";
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
  readonly query: string;
  readonly sort: string;
  readonly filters: RepoFilters;
  readonly pages: PageOf;
}

/** What narrows the list, by the name in the address: only such ones, only others, or undefined for any. */
export type RepoFilters = Readonly<Partial<Record<"archived" | "fork" | "private" | "template", boolean>>>;

/** `GET /explore/repos`. */
export function ExploreReposPage(props: ExploreReposProps) {
  const t = useWords(exploreWords);
  return (
    <ExploreFrame shell={props.shell} current="repos" title={t("repositories")}>
      <ListSearch
        action="/explore/repos"
        query={props.query}
        sort={props.sort}
        sorts={useRepoSorts()}
        label={t("searchRepositories")}
        keep={filterFields(props.filters)}
      />
      <LiveStream events={ALL_EVENTS}>
        <LivePart id="found" class="stack" on={MOVING_LIST_EVENTS}>
          <Card flush>
            <FilterBar {...props} />
            <RepoList repos={props.repos} empty={<NoMatch query={props.query} none={t("noRepositories")} />} />
          </Card>
          <Pagination of={props.pages} />
        </LivePart>
      </LiveStream>
    </ExploreFrame>
  );
}

/** The parameters of an address that asks for this. */
export const filterFields = (filters: RepoFilters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );

function FilterBar({ filters, query, sort }: ExploreReposProps) {
  const t = useWords(exploreWords);
  const choice = (name: keyof RepoFilters, value: boolean | undefined, label: string) => ({
    label,
    href: withQuery("/explore/repos", { q: query, sort, ...filterFields({ ...filters, [name]: value }) }),
    current: filters[name] === value,
  });
  const menu = (label: string, name: keyof RepoFilters, only: string, others: string): ListFilter => ({
    label,
    choices: [choice(name, undefined, t("any")), choice(name, true, only), choice(name, false, others)],
  });
  return (
    <ListBar
      label={t("kinds")}
      states={[
        choice("fork", undefined, t("all")),
        choice("fork", false, t("sources")),
        choice("fork", true, t("forks")),
      ]}
      filters={[
        menu(t("archived"), "archived", t("onlyArchived"), t("notArchived")),
        menu(t("templates"), "template", t("onlyTemplates"), t("noTemplates")),
        menu(t("visibility"), "private", t("onlyPrivate"), t("onlyPublic")),
      ]}
    />
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
