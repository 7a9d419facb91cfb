import { segments } from "../../src/kernel/url-path.ts";
import { CopyFromButton, LinkButton } from "../components/button.tsx";
import { CloneUrls } from "../components/clone-box.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { LanguageBar, type LanguageShare } from "../components/languages.tsx";
import type { RefChoices } from "../components/ref-selector.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { websiteHref } from "../jsx/safe-href.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { feedLinks, type RefName, refHref, repoHref, topicHref } from "../links.ts";
import { releaseHref } from "../releases/addresses.ts";
import { CodeBar, type DirectoryChanges } from "./code-bar.tsx";
import { type CommitSummary, LatestCommit } from "./commit-line.tsx";
import { FileList, type FileListEntry } from "./file-list.tsx";
import { PushRegion } from "./push-progress.tsx";
import { Readme, type ReadmeContent } from "./readme.tsx";
import { contentWords } from "./words/index.ts";

export interface RepoAbout {
  /** Code search, where it is available. */
  readonly searchHref?: string;
  readonly website: string;
  readonly topics: readonly string[];
  readonly sizeBytes: number;
  /** SPDX names. */
  readonly licenses: readonly { readonly name: string; readonly href: string }[];
  readonly languages: readonly LanguageShare[];
  /** The newest one that is neither a draft nor a pre-release. */
  readonly release?: { readonly title: string; readonly tag: string };
}

export interface RepoHomeProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  readonly refs: RefChoices;
  readonly latest?: CommitSummary;
  readonly entries: readonly FileListEntry[];
  /** The rows of these entries, when already rendered. */
  readonly rows?: SafeHtml;
  readonly lastCommitsHref?: string;
  /** The forms that change the files; for users who may, on a branch. */
  readonly changes?: DirectoryChanges;
  readonly readme?: ReadmeContent;
  readonly about: RepoAbout;
  /** Notes that other areas add above the code. */
  readonly notes?: Children;
}

/** `GET {W}`: the root of the default branch, its README, and facts about the repository. */
export function RepoHomePage(props: RepoHomeProps) {
  const { repo, at } = props;
  return (
    <RepoPage
      shell={props.shell}
      repo={repo}
      tab="code"
      title={[]}
      description={repo.description}
      canonical={props.shell.site.rootUrl + repoHref(repo)}
      preview={{ title: repo.name }}
      feeds={feedsOf(repo)}
    >
      <h1 class="hidden-text">
        {repo.owner}/{repo.name}
      </h1>
      <PushRegion repo={repo} />
      <div class="with-side side-first">
        <div class="stack">
          {props.notes}
          <CodeBar repo={repo} at={at} path="" refs={props.refs} changes={props.changes} clone />
          <div class="card">
            {props.latest ? (
              <LatestCommit repo={repo} commit={props.latest} historyHref={refHref(repo, "commits", at)} />
            ) : null}
            <FileList
              repo={repo}
              at={at}
              path=""
              entries={props.entries}
              rows={props.rows}
              lastCommitsHref={props.lastCommitsHref}
            />
          </div>
          {props.readme ? <Readme readme={props.readme} /> : null}
        </div>
        <About repo={repo} about={props.about} />
      </div>
    </RepoPage>
  );
}

function feedsOf(repo: RepoFrameProps) {
  return feedLinks(`${repo.owner}/${repo.name}`, (form) => `${repoHref(repo)}.${form}`);
}

function About({ repo, about }: { repo: RepoFrameProps; about: RepoAbout }) {
  const t = useWords(contentWords);
  const size = useLanguage().size(about.sizeBytes);
  const website = websiteHref(about.website);
  return (
    <aside class="about" aria-label={t("about")}>
      {about.searchHref ? (
        <search>
          <form method="get" action={about.searchHref}>
            <input
              type="search"
              name="q"
              aria-label={t("searchCode")}
              placeholder={t("searchCode")}
              data-hotkey="/,s"
            />
          </form>
        </search>
      ) : null}
      <section>
        <h2>{t("about")}</h2>
        <p class={repo.description ? undefined : "muted"}>{repo.description || t("noDescription")}</p>
        {about.topics.length > 0 ? (
          <p class="topics">
            {about.topics.map((topic) => (
              <a class="topic" href={topicHref(topic)}>
                {topic}
              </a>
            ))}
          </p>
        ) : null}
        <ul class="facts">
          {website ? (
            <Fact icon="link">
              <a href={website} rel="nofollow noopener noreferrer">
                {about.website}
              </a>
            </Fact>
          ) : null}
          {about.licenses.map((license) => (
            <Fact icon="law">
              <a href={license.href}>{license.name}</a>
            </Fact>
          ))}
          {repo.counts.commits === undefined ? null : (
            <Fact icon="history">
              <a href={refHref(repo, "commits", { kind: "branch", name: repo.defaultBranch })}>
                {t("commitCount", { count: repo.counts.commits })}
              </a>
            </Fact>
          )}
          <Fact icon="git-branch">
            <a href={repoHref(repo, "branches")}>{t("branchCount", { count: repo.counts.branches })}</a>
          </Fact>
          <Fact icon="tag">
            <a href={repoHref(repo, "tags")}>{t("tagCount", { count: repo.counts.tags })}</a>
          </Fact>
          {about.release ? (
            <Fact icon="package">
              <a href={releaseHref(repo, about.release.tag)}>{t("latestRelease", { title: about.release.title })}</a>
            </Fact>
          ) : null}
          <Fact icon="database">{size}</Fact>
          {repo.isSha256 ? <Fact icon="key">{t("sha256")}</Fact> : null}
        </ul>
      </section>
      {about.languages.length > 0 ? (
        <section>
          <h2>{t("languages")}</h2>
          <LanguageBar languages={about.languages} />
        </section>
      ) : null}
    </aside>
  );
}

function Fact({ icon, children }: { icon: IconName; children: Children }) {
  return (
    <li>
      <Icon name={icon} /> <span>{children}</span>
    </li>
  );
}

export interface EmptyRepoProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
}

/** `GET {W}` of an empty repository: how to get started, for users who may push. */
export function EmptyRepoPage({ shell, repo }: EmptyRepoProps) {
  const t = useWords(contentWords);
  const url = repo.cloneUrls.http ?? repo.cloneUrls.ssh ?? "";
  const branch = repo.defaultBranch;
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="code"
      title={[]}
      description={repo.description}
      preview={{ title: repo.name }}
      feeds={feedsOf(repo)}
    >
      <h1 class="hidden-text">
        {repo.owner}/{repo.name}
      </h1>
      {repo.description ? <p>{repo.description}</p> : null}
      <PushRegion repo={repo} reload />
      {repo.may.write ? (
        <div class="stack quick-start">
          <p>{t("startHere")}</p>
          <Card
            title={t("cloneThis")}
            actions={
              <span class="btn-row">
                <LinkButton small href={repoHref(repo, `_new/${segments(branch)}`)} icon="plus">
                  {t("newFile")}
                </LinkButton>
                <LinkButton small href={repoHref(repo, `_upload/${segments(branch)}`)} icon="upload">
                  {t("uploadFiles")}
                </LinkButton>
              </span>
            }
          >
            <CloneUrls urls={repo.cloneUrls} />
          </Card>
          <CommandCard
            id="start-new"
            title={t("startNew")}
            commands={[
              // Many git versions clone any empty repository as SHA-1.
              ...(repo.isSha256
                ? [`git init --object-format=sha256 ${repo.name}`, `cd ${repo.name}`, `git remote add origin ${url}`]
                : [`git clone ${url}`, `cd ${repo.name}`]),
              `echo '# ${repo.name}' > README.md`,
              "git add README.md",
              "git commit -m 'First commit'",
              `git push -u origin HEAD:${branch}`,
            ]}
          />
          <CommandCard
            id="push-existing"
            title={repo.isSha256 ? t("pushExistingSha256") : t("pushExisting")}
            commands={[`git remote add origin ${url}`, `git push -u origin HEAD:${branch}`]}
          />
        </div>
      ) : (
        <EmptyState
          icon="repo"
          title={t("isEmpty")}
          action={
            <LinkButton href="/explore/repos" kind="normal">
              {t("exploreRepositories")}
            </LinkButton>
          }
        >
          {t("isEmptyHint")}
        </EmptyState>
      )}
    </RepoPage>
  );
}

/** `GET {W}` of a repository that has content but no default branch: only tags, or the branch was deleted. */
export function NoBranchesPage({ shell, repo }: EmptyRepoProps) {
  const t = useWords(contentWords);
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="code"
      title={[]}
      description={repo.description}
      preview={{ title: repo.name }}
      feeds={feedsOf(repo)}
    >
      <h1 class="hidden-text">
        {repo.owner}/{repo.name}
      </h1>
      <EmptyState
        icon="git-branch"
        title={repo.counts.branches === 0 ? t("noBranches") : t("noDefaultBranch")}
        action={<LinkButton href={repoHref(repo, "branches")}>{t("showBranches")}</LinkButton>}
      >
        {t("noDefaultBranchHint", { branch: repo.defaultBranch })}
      </EmptyState>
    </RepoPage>
  );
}

function CommandCard({ id, title, commands }: { id: string; title: string; commands: readonly string[] }) {
  const t = useWords(contentWords);
  return (
    <Card title={title} actions={<CopyFromButton from={id} label={t("copyCommands")} />}>
      <pre class="commands" id={id}>
        {commands.join("\n")}
      </pre>
    </Card>
  );
}
