/** The frame of every page of a repository: its owner, its visibility and its tabs. */
import type { Unit } from "../../src/access/levels.ts";
import type { Language } from "../../src/language/language.ts";
import { Icon } from "../components/icon.tsx";
import { type Tab, Tabs } from "../components/navigation.tsx";
import { Badge, Notice, type Visibility, VisibilityBadge } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { drawnAvatarHref, type RepoName, repoHref, signInHref, userHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import type { RepoAction } from "./contributions.ts";
import { PageFrame, type PageFrameProps, type Shell } from "./shell.tsx";

export interface RepoFrameProps extends RepoName {
  readonly visibility: Visibility;
  /** It is private, but parts of it are public. */
  readonly isOpenInPart?: boolean;
  readonly description: string;
  readonly isTemplate?: boolean;
  /** When it was archived. */
  readonly archivedAt?: Instant;
  readonly forkOf?: RepoName;
  readonly mirrorOf?: { readonly address: string; readonly syncedAt: Instant | undefined };
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  /** Its object ids are SHA-256, which not every git supports. */
  readonly isSha256?: boolean;
  /** Open issues and pull requests; undefined when the viewer may not read them. */
  readonly openItems: { readonly issues: number | undefined; readonly pulls: number | undefined };
  /** The enabled units that the viewer may read; absent: all. */
  readonly reads?: readonly Unit[];
  readonly counts: {
    readonly commits?: number | undefined;
    readonly branches: number;
    readonly tags: number;
    readonly releases: number;
  };
  /** Clone URLs, from the configured public URL. */
  readonly cloneUrls: { readonly http?: string; readonly ssh?: string };
  /** Whether large files (LFS) are stored here; absent: they are. */
  readonly hasLargeFiles?: boolean;
  /** Whether archives of a commit can be downloaded. */
  readonly hasArchives?: boolean;
  /** Whether this site has package registries. */
  readonly hasPackages?: boolean;
  readonly may: {
    readonly write: boolean;
    /** The change is made in a fork, because the viewer may not write here. */
    readonly propose: boolean;
    readonly administer: boolean;
  };
  readonly actions?: readonly RepoAction[];
}

export interface RepoPageProps extends Omit<PageFrameProps, "children" | "shell"> {
  shell: Shell;
  repo: RepoFrameProps;
  /** The id of the tab this page belongs to; undefined on the page for something missing. */
  tab: string | undefined;
  children: Children;
}

export function RepoPage({ shell, repo, tab, children, title, preview, ...frame }: RepoPageProps) {
  const t = useWords(siteWords);
  const language = useLanguage();
  return (
    <PageFrame
      shell={shell}
      width="wide"
      {...frame}
      title={[...title, `${repo.owner}/${repo.name}`]}
      preview={{ type: "object", image: drawnAvatarHref(repo.owner), ...preview }}
    >
      <div class="repo-head">
        <div class="repo-name-line">
          <p class="repo-title">
            <Icon name={repo.mirrorOf ? "repo-push" : repo.forkOf ? "repo-forked" : "repo"} />
            <a href={userHref(repo.owner)}>{repo.owner}</a>
            <span class="muted">/</span>
            <a class="repo-name" href={repoHref(repo)}>
              {repo.name}
            </a>
            {repo.archivedAt === undefined ? null : (
              <Badge icon="archive" tone="warn">
                {t("archived")}
              </Badge>
            )}
            <VisibilityBadge visibility={repo.visibility} />
            {repo.isOpenInPart ? <Badge icon="eye">{t("openInPart")}</Badge> : null}
            {repo.isTemplate ? <Badge icon="repo-template">{t("template")}</Badge> : null}
          </p>
          {repo.actions?.length ? (
            <ul class="repo-actions">
              {repo.actions.map((action) => (
                <li>
                  <RepoActionButton action={action} returnTo={shell.path} />
                </li>
              ))}
            </ul>
          ) : null}
        </div>
        <Origin repo={repo} />
        <Tabs label={t("repository")} tabs={tabsOf(shell, repo, tab, language)} />
      </div>
      {repo.archivedAt === undefined ? null : (
        <Notice kind="warning">
          <p>{t("archivedOn", { day: language.day(repo.archivedAt) })}</p>
        </Notice>
      )}
      {children}
    </PageFrame>
  );
}

/** One of the buttons beside the name; also the response to its form when htmx sent it. */
export function RepoActionButton({ action, returnTo }: { action: RepoAction; returnTo: string }) {
  const language = useLanguage();
  const id = `action-${action.id}`;
  const face = (
    <>
      <Icon name={action.icon} /> {action.label(language)}
    </>
  );
  return (
    <div class="repo-action" id={id}>
      {action.action === undefined ? (
        <a class="btn btn-small" href={action.href ?? signInHref(returnTo)}>
          {face}
        </a>
      ) : (
        <form method="post" action={action.action} hx-post={action.action} hx-target={`#${id}`} hx-swap="outerHTML">
          <input type="hidden" name="redirect_to" value={returnTo} />
          <button type="submit" class="btn btn-small" id={`${id}-button`}>
            {face}
          </button>
        </form>
      )}
      {action.list ? (
        <a class="btn btn-small" href={action.list.href} title={action.list.label(language)}>
          {language.shortNumber(action.count)} <span class="hidden-text">{action.list.label(language)}</span>
        </a>
      ) : null}
    </div>
  );
}

function Origin({ repo }: { repo: RepoFrameProps }) {
  const t = useWords(siteWords);
  if (repo.forkOf) {
    const name = `${repo.forkOf.owner}/${repo.forkOf.name}`;
    return <p class="repo-origin">{t.jsx("forkedFrom", { repository: <a href={repoHref(repo.forkOf)}>{name}</a> })}</p>;
  }
  if (!repo.mirrorOf) return null;
  const { address, syncedAt } = repo.mirrorOf;
  return (
    <p class="repo-origin">
      {t("mirrorOf", { address })}
      {syncedAt === undefined ? null : (
        <>
          {" · "}
          <Time at={syncedAt} text={t("mirrorSynced", { time: TIME })} />
        </>
      )}
    </p>
  );
}

function tabsOf(
  { contributions }: Shell,
  repo: RepoFrameProps,
  current: string | undefined,
  language: Language,
): Tab[] {
  return contributions.repoTabs
    .filter((tab) => tab.shown?.(repo) ?? true)
    .map((tab) => ({
      label: tab.label(language),
      icon: tab.icon,
      href: tab.href(repo),
      count: tab.count?.(repo),
      hotkey: tab.hotkey,
      isSpare: tab.isSpare,
      current: tab.id === current,
    }));
}
