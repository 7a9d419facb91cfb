/** The frame of every page of a repository: whose it is, who may see it, and its tabs. */
import { Icon } from "../components/icon.tsx";
import { type Tab, Tabs } from "../components/navigation.tsx";
import { Badge, Notice, type Visibility, VisibilityBadge } from "../components/surface.tsx";
import { dayText, type Instant } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { type RepoName, repoHref, userHref } from "../links.ts";
import { PageFrame, type PageFrameProps, type Shell } from "./shell.tsx";

export interface RepoFrameProps extends RepoName {
  readonly visibility: Visibility;
  readonly description: string;
  readonly isTemplate?: boolean;
  /** When it was archived. */
  readonly archivedAt?: Instant;
  readonly forkOf?: RepoName;
  readonly mirrorOf?: string;
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  /** Its ids are made by SHA-256, which not every git reads. */
  readonly isSha256?: boolean;
  readonly counts: { readonly commits?: number | undefined; readonly branches: number; readonly tags: number };
  /** Where git clones from, out of the configured public address. */
  readonly cloneUrls: { readonly http?: string; readonly ssh?: string };
  readonly may: { readonly write: boolean; readonly administer: boolean };
}

export interface RepoPageProps extends Omit<PageFrameProps, "children" | "shell"> {
  shell: Shell;
  repo: RepoFrameProps;
  /** The id of the tab this page belongs to; none when it is a page that is not there. */
  tab: string | undefined;
  children: Children;
}

export function RepoPage({ shell, repo, tab, children, title, ...frame }: RepoPageProps) {
  return (
    <PageFrame shell={shell} width="wide" {...frame} title={[...title, `${repo.owner}/${repo.name}`]}>
      <div class="repo-head">
        <p class="repo-title">
          <Icon name={repo.mirrorOf ? "repo-push" : repo.forkOf ? "repo-forked" : "repo"} />
          <a href={userHref(repo.owner)}>{repo.owner}</a>
          <span class="muted">/</span>
          <a class="repo-name" href={repoHref(repo)}>
            {repo.name}
          </a>
          <VisibilityBadge visibility={repo.visibility} />
          {repo.isTemplate ? <Badge icon="repo-template">Template</Badge> : null}
          {repo.archivedAt === undefined ? null : (
            <Badge icon="archive" tone="warn">
              Archived
            </Badge>
          )}
        </p>
        <Origin repo={repo} />
        <Tabs label="Repository" tabs={tabsOf(shell, repo, tab)} />
      </div>
      {repo.archivedAt === undefined ? null : (
        <Notice kind="warning">
          <p>This repository was archived on {dayText(repo.archivedAt)}. It can be read and cloned, but not changed.</p>
        </Notice>
      )}
      {children}
    </PageFrame>
  );
}

function Origin({ repo }: { repo: RepoFrameProps }) {
  if (repo.forkOf)
    return (
      <p class="repo-origin">
        forked from{" "}
        <a href={repoHref(repo.forkOf)}>
          {repo.forkOf.owner}/{repo.forkOf.name}
        </a>
      </p>
    );
  return repo.mirrorOf ? <p class="repo-origin">mirror of {repo.mirrorOf}</p> : null;
}

function tabsOf({ contributions }: Shell, repo: RepoFrameProps, current: string | undefined): Tab[] {
  return contributions.repoTabs
    .filter((tab) => tab.shown?.(repo) ?? true)
    .map((tab) => ({
      label: tab.label,
      icon: tab.icon,
      href: tab.href(repo),
      count: tab.count?.(repo),
      hotkey: tab.hotkey,
      current: tab.id === current,
    }));
}
