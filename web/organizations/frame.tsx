/** The frame of every page of an organization: its name, visibility and tabs. */
import type { Visibility } from "../../src/access/levels.ts";
import { Avatar } from "../components/avatar.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Tabs } from "../components/navigation.tsx";
import { Badge } from "../components/surface.tsx";
import { websiteHref } from "../jsx/safe-href.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { organizationHref, userHref } from "../links.ts";
import { organizationWords } from "./words/index.ts";

export interface OrganizationProps {
  readonly name: string;
  readonly fullName: string;
  readonly avatarUrl?: string;
  readonly description: string;
  readonly location: string;
  readonly website: string;
  /** Empty for visitors. */
  readonly email: string;
  readonly visibility: Visibility;
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

export type OrganizationTab =
  | "repositories"
  | "issues"
  | "pulls"
  | "projects"
  | "packages"
  | "dashboard"
  | "members"
  | "teams"
  | "settings";

export interface OrganizationPageProps {
  shell: Shell;
  organization: OrganizationProps;
  tab: OrganizationTab;
  title: readonly string[];
  noIndex?: boolean;
  children: Children;
}

interface OwnTab {
  readonly id: Exclude<OrganizationTab, "packages">;
  readonly icon: IconName;
  readonly href: string;
  readonly shown: boolean;
}

const isShown = ({ shown }: OwnTab) => shown;

export function OrganizationPage({ shell, organization, tab, title, noIndex, children }: OrganizationPageProps) {
  const t = useWords(organizationWords);
  const { name } = organization;
  const language = useLanguage();
  const parts = shell.contributions.organizationParts.map(({ href, icon, id, label }) => ({
    label: label(language),
    icon,
    href: href(organization),
    current: id === tab,
  }));
  const own = ({ id, icon, href }: OwnTab) => ({ label: t(id), icon, href, current: id === tab });
  const first: OwnTab[] = [
    { id: "repositories", icon: "repo", href: userHref(name), shown: true },
    { id: "issues", icon: "issue-opened", href: organizationHref(name, "issues"), shown: organization.isMember },
    { id: "pulls", icon: "git-pull-request", href: organizationHref(name, "pulls"), shown: organization.isMember },
    { id: "projects", icon: "project", href: `${userHref(name)}/-/projects`, shown: true },
  ];
  const last: OwnTab[] = [
    { id: "dashboard", icon: "history", href: organizationHref(name, "dashboard"), shown: organization.isMember },
    { id: "members", icon: "person", href: organizationHref(name, "members"), shown: true },
    { id: "teams", icon: "people", href: organizationHref(name, "teams"), shown: organization.isMember },
    { id: "settings", icon: "gear", href: organizationHref(name, "settings"), shown: organization.isOwner },
  ];
  return (
    <PageFrame
      shell={shell}
      title={[...title, organization.fullName || name]}
      width="wide"
      description={organization.description}
      noIndex={noIndex}
    >
      <div class="repo-head">
        <OrganizationHead organization={organization} isHome={tab === "repositories"} />
        <Tabs
          label={t("organization")}
          tabs={[...first.filter(isShown).map(own), ...parts, ...last.filter(isShown).map(own)]}
        />
      </div>
      {children}
    </PageFrame>
  );
}

function OrganizationHead({ organization, isHome }: { organization: OrganizationProps; isHome: boolean }) {
  const t = useWords(organizationWords);
  const { name, fullName, visibility } = organization;
  const website = websiteHref(organization.website);
  return (
    <div class="organization-head">
      <Avatar person={organization} size={48} />
      <div>
        <div class="organization-name">
          {isHome ? (
            <h1>{fullName || name}</h1>
          ) : (
            <a class="strong" href={userHref(name)}>
              {fullName || name}
            </a>
          )}{" "}
          {fullName ? <span class="muted">{name}</span> : null}{" "}
          {visibility === "public" ? null : (
            <Badge icon={visibility === "private" ? "lock" : "eye"} tone="warn">
              {t(`visibility-${visibility}`)}
            </Badge>
          )}
        </div>
        {organization.description ? <p>{organization.description}</p> : null}
        <p class="repo-facts">
          {organization.location ? (
            <span>
              <Icon name="location" /> {organization.location}
            </span>
          ) : null}
          {website ? (
            <span>
              <Icon name="link" />{" "}
              <a href={website} rel="noopener noreferrer">
                {organization.website}
              </a>
            </span>
          ) : null}
          {organization.email ? (
            <span>
              <Icon name="mail" /> <a href={`mailto:${organization.email}`}>{organization.email}</a>
            </span>
          ) : null}
        </p>
      </div>
    </div>
  );
}
