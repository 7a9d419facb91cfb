import { Avatar } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination, type Tab, Tabs } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { RepoFilterBar, type RepoLanguage } from "../explore/repo-filters.tsx";
import { filterFields, isNarrowed, type RepoQuery } from "../explore/repo-query.ts";
import { type Activity, ActivityFeed } from "../home/activity.tsx";
import { HeatMap, type HeatMapProps } from "../home/heat-map.tsx";
import { homeWords } from "../home/words/index.ts";
import { websiteHref } from "../jsx/safe-href.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { drawnAvatarHref, feedLinks, userHref } from "../links.ts";
import { RepoList, type RepoListItem, useRepoSorts } from "../repos/repo-list.tsx";
import { accountWords } from "./words/index.ts";

export interface ProfileUser {
  readonly name: string;
  readonly fullName: string;
  readonly avatarUrl?: string;
  readonly description: string;
  readonly location: string;
  readonly website: string;
  /** Only when it is public. */
  readonly email?: string;
  readonly joinedAt: Instant;
  readonly isSiteAdmin: boolean;
}

export interface ProfileProps {
  readonly shell: Shell;
  readonly user: ProfileUser;
  readonly isSelf: boolean;
  /** What areas add to the card, under the name and at its end. */
  readonly head: Children;
  readonly foot: Children;
  readonly tabs: readonly Tab[];
  /** The content of the chosen tab. */
  readonly children: Children;
}

/** `GET /{user}`. */
export function ProfilePage({ shell, user, isSelf, head, foot, tabs, children }: ProfileProps) {
  const t = useWords(accountWords);
  return (
    <PageFrame
      shell={shell}
      title={[user.fullName || user.name]}
      width="wide"
      description={user.description}
      preview={{ type: "profile", image: user.avatarUrl ?? drawnAvatarHref(user.name) }}
      feeds={feedLinks(user.name, (form) => `${userHref(user.name)}.${form}`)}
    >
      <div class="profile">
        <ProfileCard user={user} isSelf={isSelf} head={head} foot={foot} />
        <div class="stack">
          <Tabs label={t("profile")} tabs={tabs} />
          {children}
        </div>
      </div>
    </PageFrame>
  );
}

function ProfileCard({ user, isSelf, head, foot }: Pick<ProfileProps, "user" | "isSelf" | "head" | "foot">) {
  const t = useWords(accountWords);
  const website = websiteHref(user.website);
  return (
    <div class="profile-card">
      <Avatar person={user} size={96} />
      <div>
        <h1>{user.fullName || user.name}</h1>
        {user.fullName ? <p class="muted">{user.name}</p> : null}
        {user.isSiteAdmin ? <Badge icon="shield-lock">{t("siteAdministrator")}</Badge> : null}
      </div>
      {user.description ? <p>{user.description}</p> : null}
      {isSelf ? (
        <LinkButton href="/user/settings" icon="pencil">
          {t("editProfile")}
        </LinkButton>
      ) : null}
      {head}
      <ul class="facts">
        {user.location ? <Fact icon="location">{user.location}</Fact> : null}
        {user.email ? (
          <Fact icon="mail">
            <a href={`mailto:${user.email}`}>{user.email}</a>
          </Fact>
        ) : null}
        {website ? (
          <Fact icon="link">
            <a href={website} rel="noopener noreferrer me">
              {user.website}
            </a>
          </Fact>
        ) : null}
        <Fact icon="clock">
          <Time at={user.joinedAt} text={t("joined", { time: TIME })} />
        </Fact>
      </ul>
      {foot}
    </div>
  );
}

function Fact({ icon, children }: { icon: IconName; children: Children }) {
  return (
    <li>
      <Icon name={icon} /> <span>{children}</span>
    </li>
  );
}

export interface ProfileReposProps {
  readonly user: string;
  readonly repos: readonly RepoListItem[];
  /** URL of the tab. */
  readonly href: string;
  readonly asked: RepoQuery;
  readonly languages: readonly RepoLanguage[];
  readonly pages: PageOf;
}

/** The tab with the account's repositories. */
export function ProfileRepos({ user, repos, href, asked, languages, pages }: ProfileReposProps) {
  const t = useWords(accountWords);
  const sorts = useRepoSorts();
  return (
    <>
      <ListSearch
        action={userHref(user)}
        query={asked.query}
        sort={asked.sort}
        sorts={sorts}
        label={t("searchRepositories")}
        keep={{ tab: "repositories", ...filterFields(asked.filters) }}
      />
      <Card flush>
        <RepoFilterBar page={href} asked={asked} languages={languages} />
        <RepoList
          repos={repos}
          empty={<EmptyState icon="repo" title={isNarrowed(asked) ? t("noMatch") : t("noRepositories")} />}
        />
      </Card>
      <Pagination of={pages} />
    </>
  );
}

export interface ProfileActivityProps {
  readonly items: readonly Activity[];
  readonly hidden: "no" | "for-others";
  readonly heatMap: HeatMapProps;
  /** The single day shown, in milliseconds since 1970. */
  readonly day: number | undefined;
}

/** The tab with the person's activity. */
export function ProfileActivity({ items, hidden, heatMap, day }: ProfileActivityProps) {
  const t = useWords(accountWords);
  const ofHome = useWords(homeWords);
  const language = useLanguage();
  return (
    <>
      <Card title={ofHome("lastYear")}>
        <HeatMap {...heatMap} />
      </Card>
      <Card
        flush
        {...(day === undefined
          ? {}
          : {
              title: ofHome("doneOn", { day: language.day(day) }),
              actions: <a href={heatMap.href}>{ofHome("allDays")}</a>,
            })}
      >
        {hidden === "for-others" ? <p class="list-row muted">{t("activityOnlyYou")}</p> : null}
        <ActivityFeed items={items} />
      </Card>
    </>
  );
}

/** The same tab for other viewers, when the person hides it. */
export function ActivityHidden() {
  const t = useWords(accountWords);
  return (
    <EmptyState icon="eye" title={t("hidden")}>
      {t("activityHidden")}
    </EmptyState>
  );
}
