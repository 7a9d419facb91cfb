import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { archivesOf } from "../components/clone-box.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, Card, EmptyState, MenuLink, MenuOpen, RowMenu } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { RefSearch } from "../content/branches.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, compareHref, feedLinks, refHref, repoHref } from "../links.ts";
import { releaseHref } from "./addresses.ts";
import { releasesWords } from "./words/index.ts";

export interface AssetItem {
  readonly name: string;
  readonly href: string;
  readonly sizeBytes: number;
  readonly downloads: number;
}

/** A release, or a tag without one. */
export interface ReleaseItem {
  /** Absent: only a tag. */
  readonly id?: number;
  readonly tag: string;
  /** The tag's commit; absent: the tag does not exist yet. */
  readonly sha?: string;
  readonly title: string;
  readonly state: "draft" | "prerelease" | "latest" | "plain";
  readonly author?: Person;
  readonly at: Instant;
  readonly notes: SafeHtml;
  readonly assets: readonly AssetItem[];
}

interface ReleasesProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly mayWrite: boolean;
}

/** `GET {W}/releases`: releases, newest first. */
export function ReleasesPage(
  props: ReleasesProps & { releases: readonly ReleaseItem[]; query: string; pages: PageOf },
) {
  const { mayWrite, query, releases, repo, shell } = props;
  const t = useWords(releasesWords);
  const base = repoHref(repo, "releases");
  const create = mayWrite ? (
    <LinkButton kind="primary" icon="plus" href={`${base}/new`} hotkey="c">
      {t("newRelease")}
    </LinkButton>
  ) : undefined;
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="releases"
      title={[t("releases")]}
      feeds={feedLinks(t("releases"), (form) => repoHref(repo, `releases.${form}`))}
    >
      <h1 class="hidden-text">{t("releases")}</h1>
      <div class="row">
        <div class="grow">
          <RefSearch action={base} query={query} label={t("findRelease")} />
        </div>
        {create}
      </div>
      {releases.length === 0 ? (
        <Card>
          <EmptyState icon="package" title={query ? t("noMatch") : t("noReleases")}>
            {query ? undefined : t("noReleasesHint")}
          </EmptyState>
        </Card>
      ) : (
        releases.map((release) => <ReleaseCard release={release} repo={repo} mayWrite={mayWrite} />)
      )}
      <Pagination of={props.pages} />
    </RepoPage>
  );
}

/** `GET {W}/releases/tag/{tag}`: one release. */
export function ReleasePage({ mayWrite, release, repo, shell }: ReleasesProps & { release: ReleaseItem }) {
  return (
    <RepoPage shell={shell} repo={repo} tab="releases" title={[release.title || release.tag]}>
      <ReleaseCard release={release} repo={repo} mayWrite={mayWrite} isAlone />
    </RepoPage>
  );
}

function ReleaseCard(props: { release: ReleaseItem; repo: RepoFrameProps; mayWrite: boolean; isAlone?: boolean }) {
  const { isAlone, mayWrite, release, repo } = props;
  const t = useWords(releasesWords);
  const title = release.title || release.tag;
  const Heading = isAlone ? "h1" : "h2";
  return (
    <article class="card card-body">
      <header class="row">
        <div class="grow">
          <Heading>
            <a href={releaseHref(repo, release.tag)}>{title}</a> <StateBadge state={release.state} />
          </Heading>
          <p class="muted">
            <Icon name="tag" />{" "}
            {release.sha === undefined ? (
              <span class="ref-name">{release.tag}</span>
            ) : (
              <>
                <a class="ref-link" href={refHref(repo, "src", { kind: "tag", name: release.tag })}>
                  {release.tag}
                </a>{" "}
                <a class="sha" href={commitHref(repo, release.sha)}>
                  {release.sha.slice(0, 10)}
                </a>
              </>
            )}{" "}
            {release.author ? <PersonName person={release.author} /> : null} <Time at={release.at} />
            {release.sha === undefined ? null : (
              <>
                {" · "}
                <a href={compareHref(repo, release.tag, repo.defaultBranch)}>{t("commitsSince")}</a>
              </>
            )}
          </p>
        </div>
        {mayWrite ? <Changes release={release} repo={repo} /> : null}
      </header>
      {release.notes === "" ? null : <Prose html={release.notes} />}
      <Files release={release} repo={repo} />
    </article>
  );
}

function StateBadge({ state }: { state: ReleaseItem["state"] }) {
  const t = useWords(releasesWords);
  if (state === "draft") return <Badge tone="warn">{t("draft")}</Badge>;
  if (state === "prerelease") return <Badge tone="accent">{t("prerelease")}</Badge>;
  return state === "latest" ? <Badge tone="ok">{t("latest")}</Badge> : null;
}

function Changes({ release, repo }: { release: ReleaseItem; repo: RepoFrameProps }) {
  const t = useWords(releasesWords);
  const { id, tag } = release;
  if (id === undefined)
    return (
      <LinkButton small href={`${repoHref(repo, "releases/new")}?tag=${encodeURIComponent(tag)}`}>
        {t("releaseTag")}
      </LinkButton>
    );
  const dialog = `delete-release-${id}`;
  return (
    <>
      <LinkButton small icon="pencil" href={releaseHref(repo, tag, "edit")}>
        {t("edit")}
      </LinkButton>
      <RowMenu name={t("moreAbout", { name: tag })}>
        <li>
          <MenuLink icon="git-compare" href={compareHref(repo, tag, repo.defaultBranch)}>
            {t("commitsSince")}
          </MenuLink>
        </li>
        <li>
          <MenuOpen icon="trash" danger opens={dialog}>
            {t("deleteRelease")}
          </MenuOpen>
        </li>
      </RowMenu>
      <Dialog id={dialog} title={t("deleteRelease")}>
        <form method="post" action={repoHref(repo, "releases/delete")}>
          <input type="hidden" name="id" value={String(id)} />
          <p>{t("deleteAbout", { tag })}</p>
          <DialogActions danger icon="trash" label={t("deleteRelease")} />
        </form>
      </Dialog>
    </>
  );
}

function Files({ release, repo }: { release: ReleaseItem; repo: RepoFrameProps }) {
  const t = useWords(releasesWords);
  const language = useLanguage();
  const archives = release.sha === undefined ? [] : archivesOf(repo, { kind: "tag", name: release.tag });
  if (release.assets.length + archives.length === 0) return null;
  return (
    <details open>
      <summary>{t("files", { count: release.assets.length + archives.length })}</summary>
      <ul class="list">
        {release.assets.map((asset) => (
          <li class="row">
            <Icon name="file-zip" />{" "}
            <a class="grow clip" href={asset.href} download>
              {asset.name}
            </a>{" "}
            <span class="muted">{t("downloads", { count: asset.downloads })}</span>{" "}
            <span class="muted">{language.size(asset.sizeBytes)}</span>
          </li>
        ))}
        {archives.map((archive) => (
          <li class="row">
            <Icon name="file-zip" />{" "}
            <a class="grow" href={archive.href} download rel="nofollow">
              {t("sourceCode", { format: archive.label })}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
