/** The frame of every page of a repository: whose it is, who may see it, and its tabs. */
import { Icon } from "../components/icon.tsx";
import { type Tab, Tabs } from "../components/navigation.tsx";
import { Badge, Notice, type Visibility, VisibilityBadge } from "../components/surface.tsx";
import { dayText, type Instant } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { type RepoName, refHref, repoHref, userHref } from "../links.ts";
import { PageFrame, type PageFrameProps, type Shell } from "./shell.tsx";

export type RepoTab = "code" | "commits" | "branches" | "tags" | "settings";

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
  readonly counts: { readonly commits?: number; readonly branches: number; readonly tags: number };
  /** Where git clones from, out of the configured public address. */
  readonly cloneUrls: { readonly http?: string; readonly ssh?: string };
  readonly may: { readonly write: boolean; readonly administer: boolean };
}

export interface RepoPageProps extends Omit<PageFrameProps, "children" | "shell"> {
  shell: Shell;
  repo: RepoFrameProps;
  /** The tab this page belongs to. */
  tab: RepoTab;
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
          <a class="repo-name" href={repoHref(repo)} data-hotkey="g c">
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
        <Tabs label="Repository" tabs={repoTabs(repo, tab)} />
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

function repoTabs(repo: RepoFrameProps, current: RepoTab): Tab[] {
  const branch = { kind: "branch", name: repo.defaultBranch } as const;
  const tabs: (Tab & { id: RepoTab })[] = [{ id: "code", label: "Code", icon: "code", href: repoHref(repo) }];
  if (!repo.isEmpty)
    tabs.push(
      {
        id: "commits",
        label: "Commits",
        icon: "history",
        href: refHref(repo, "commits", branch),
        count: repo.counts.commits ?? 0,
        hotkey: "g l",
      },
      {
        id: "branches",
        label: "Branches",
        icon: "git-branch",
        href: repoHref(repo, "branches"),
        count: repo.counts.branches,
        hotkey: "g b",
      },
      { id: "tags", label: "Tags", icon: "tag", href: repoHref(repo, "tags"), count: repo.counts.tags, hotkey: "g t" },
    );
  if (repo.may.administer)
    tabs.push({ id: "settings", label: "Settings", icon: "gear", href: repoHref(repo, "settings") });
  return tabs.map((tab) => ({ ...tab, current: tab.id === current }));
}
