import { Avatar } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination, Tabs } from "../components/navigation.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { type Activity, ActivityFeed } from "../home/activity.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { websiteHref } from "../jsx/safe-href.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref, withQuery } from "../links.ts";
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

export type ProfileTab =
  | { readonly kind: "overview"; readonly readme: SafeHtml }
  | {
      readonly kind: "repositories";
      readonly repos: readonly RepoListItem[];
      readonly query: string;
      readonly sort: string;
      readonly pages: PageOf;
    }
  | {
      readonly kind: "activity";
      readonly items: readonly Activity[];
      readonly hidden: "no" | "for-others" | "for-you";
    };

export interface ProfileProps {
  readonly shell: Shell;
  readonly user: ProfileUser;
  readonly isSelf: boolean;
  readonly repoCount: number;
  /** The account has a `.profile` repository with a README. */
  readonly hasOverview: boolean;
  readonly tab: ProfileTab;
}

/** `GET /{user}`. */
export function ProfilePage(props: ProfileProps) {
  const { user, tab } = props;
  const t = useWords(accountWords);
  const tabs = [
    { id: "overview", label: t("overview"), icon: "home" as const },
    { id: "repositories", label: t("repositories"), icon: "repo" as const, count: props.repoCount },
    { id: "activity", label: t("publicActivity"), icon: "history" as const },
  ].filter((entry) => entry.id !== "overview" || props.hasOverview);
  return (
    <PageFrame shell={props.shell} title={[user.fullName || user.name]} width="wide" description={user.description}>
      <div class="profile">
        <ProfileCard user={user} isSelf={props.isSelf} />
        <div class="stack">
          <Tabs
            label={t("profile")}
            tabs={tabs.map((entry) => ({
              ...entry,
              href: withQuery(userHref(user.name), { tab: entry.id }),
              current: entry.id === tab.kind,
            }))}
          />
          <TabBody tab={tab} user={user} />
        </div>
      </div>
    </PageFrame>
  );
}

function ProfileCard({ user, isSelf }: { user: ProfileUser; isSelf: boolean }) {
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

function TabBody({ tab, user }: { tab: ProfileTab; user: ProfileUser }) {
  const t = useWords(accountWords);
  const sorts = useRepoSorts();
  switch (tab.kind) {
    case "overview":
      return (
        <Card>
          <Prose html={tab.readme} />
        </Card>
      );
    case "repositories":
      return (
        <>
          <ListSearch
            action={userHref(user.name)}
            query={tab.query}
            sort={tab.sort}
            sorts={sorts}
            label={t("searchRepositories")}
            keep={{ tab: "repositories" }}
          />
          <Card flush>
            <RepoList
              repos={tab.repos}
              empty={<EmptyState icon="repo" title={tab.query ? t("noMatch") : t("noRepositories")} />}
            />
          </Card>
          <Pagination of={tab.pages} />
        </>
      );
    case "activity":
      if (tab.hidden === "for-you")
        return (
          <EmptyState icon="eye" title={t("hidden")}>
            {t("activityHidden")}
          </EmptyState>
        );
      return (
        <Card flush>
          {tab.hidden === "for-others" ? <p class="list-row muted">{t("activityOnlyYou")}</p> : null}
          <ActivityFeed items={tab.items} />
        </Card>
      );
  }
}
