import { Avatar, type Person } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { Readme, type ReadmeContent } from "../content/readme.tsx";
import { RepoFilterBar, type RepoLanguage } from "../explore/repo-filters.tsx";
import { filterFields, isNarrowed, type RepoQuery } from "../explore/repo-query.ts";
import { type Activity, ActivityFeed } from "../home/activity.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref, teamHref, userHref, withQuery } from "../links.ts";
import { RepoList, type RepoListItem, useRepoSorts } from "../repos/repo-list.tsx";
import { OrganizationPage, type OrganizationProps } from "./frame.tsx";
import { organizationWords } from "./words/index.ts";

export interface OrganizationHomeProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly readme?: ReadmeContent;
  /** The view a member has chosen; absent: there is nothing to choose. */
  readonly viewAs?: "member" | "public";
  readonly repos: readonly RepoListItem[];
  /** URL of the page, without filters. */
  readonly href: string;
  readonly asked: RepoQuery;
  readonly languages: readonly RepoLanguage[];
  readonly pages: PageOf;
  readonly mayCreate: boolean;
  readonly members: readonly Person[];
  readonly memberCount: number;
  readonly teams: readonly string[];
}

/** `GET /{org}`. */
export function OrganizationHomePage(props: OrganizationHomeProps) {
  const t = useWords(organizationWords);
  const { organization } = props;
  const { name } = organization;
  return (
    <OrganizationPage shell={props.shell} organization={organization} tab="repositories" title={[]}>
      <div class="with-side">
        <div class="stack">
          {props.readme ? <Readme readme={props.readme} /> : null}
          <ListSearch
            action={userHref(name)}
            query={props.asked.query}
            sort={props.asked.sort}
            sorts={useRepoSorts()}
            label={t("searchRepositories")}
            keep={filterFields(props.asked.filters)}
          />
          <Card flush>
            <RepoFilterBar page={props.href} asked={props.asked} languages={props.languages} />
            <RepoList
              repos={props.repos}
              empty={<EmptyState icon="repo" title={isNarrowed(props.asked) ? t("noMatch") : t("noRepositories")} />}
            />
          </Card>
          <Pagination of={props.pages} />
        </div>
        <div class="stack">
          {props.mayCreate ? (
            <LinkButton kind="primary" icon="plus" href={withQuery("/repo/create", { org: name })}>
              {t("newRepository")}
            </LinkButton>
          ) : null}
          {props.viewAs ? <ViewAs name={name} as={props.viewAs} /> : null}
          <Card title={t("members")}>
            {props.members.length === 0 ? (
              <p class="muted">{t("noPublicMembers")}</p>
            ) : (
              <>
                <p class="faces">
                  {props.members.map((person) => (
                    <a href={person.href} title={person.name}>
                      <Avatar person={person} size={32} />
                      <span class="hidden-text">{person.name}</span>
                    </a>
                  ))}
                </p>
                <p>
                  <a href={organizationHref(name, "members")}>{t("memberCount", { count: props.memberCount })}</a>
                </p>
              </>
            )}
          </Card>
          {props.teams.length > 0 ? (
            <Card
              title={t("teams")}
              flush
              actions={
                <LinkButton small href={organizationHref(name, "teams")}>
                  {t("showAll")}
                </LinkButton>
              }
            >
              <ul class="short-list">
                {props.teams.map((team) => (
                  <li>
                    <a class="menu-item" href={teamHref(name, team)}>
                      {team}
                    </a>
                  </li>
                ))}
              </ul>
            </Card>
          ) : null}
        </div>
      </div>
    </OrganizationPage>
  );
}

function ViewAs({ name, as }: { name: string; as: "member" | "public" }) {
  const t = useWords(organizationWords);
  const choice = (value: "member" | "public", label: string) => (
    <a
      class="btn btn-small"
      href={withQuery(userHref(name), { view_as: value })}
      aria-current={as === value ? "page" : undefined}
    >
      {label}
    </a>
  );
  return (
    <nav class="row" aria-label={t("viewAs")}>
      <span class="muted">{t("viewAs")}</span>
      <span class="btn-row">
        {choice("member", t("asMember"))}
        {choice("public", t("asPublic"))}
      </span>
    </nav>
  );
}

/** `GET /org/{org}/dashboard`. */
export function OrganizationDashboardPage(props: {
  shell: Shell;
  organization: OrganizationProps;
  /** The team whose repositories it shows; undefined: all. */
  team: string | undefined;
  items: readonly Activity[];
}) {
  const t = useWords(organizationWords);
  return (
    <OrganizationPage
      shell={props.shell}
      organization={props.organization}
      tab="dashboard"
      title={props.team ? [t("dashboard"), props.team] : [t("dashboard")]}
      noIndex
    >
      <div class={props.team ? "page-head" : "row end-row"}>
        {props.team ? <h1>{props.team}</h1> : <h1 class="hidden-text">{t("dashboard")}</h1>}
        <LinkButton icon="milestone" href={organizationHref(props.organization.name, "milestones")}>
          {t("milestones")}
        </LinkButton>
        {props.organization.isOwner ? (
          <LinkButton icon="clock" href={organizationHref(props.organization.name, "worktime")}>
            {t("worktime")}
          </LinkButton>
        ) : null}
      </div>
      <Card flush>
        <ActivityFeed items={props.items} />
      </Card>
    </OrganizationPage>
  );
}
