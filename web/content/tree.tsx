import type { RefChoices } from "../components/ref-selector.tsx";
import { EmptyState } from "../components/surface.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RefName, refHref } from "../links.ts";
import { CodeBar, type DirectoryChanges } from "./code-bar.tsx";
import { type CommitSummary, LatestCommit } from "./commit-line.tsx";
import { FileList, type FileListEntry } from "./file-list.tsx";
import { Readme, type ReadmeContent } from "./readme.tsx";
import { type SideTree, WithTree } from "./side-tree.tsx";
import { contentWords } from "./words/index.ts";

export interface TreeProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  /** The directory without leading and trailing slashes; empty for the root of a ref other than on the home page. */
  readonly path: string;
  readonly refs: RefChoices;
  /** The file tree beside it. */
  readonly tree?: SideTree;
  readonly latest?: CommitSummary;
  readonly entries: readonly FileListEntry[];
  /** The rows of these entries, when already rendered. */
  readonly rows?: SafeHtml;
  readonly lastCommitsHref?: string;
  /** The forms that change the files; for users who may, on a branch. */
  readonly changes?: DirectoryChanges;
  readonly readme?: ReadmeContent;
  /** Number of entries beyond those listed. */
  readonly hiddenEntries?: number;
}

/** `GET {W}/src/{type}/{ref}/{directory}`. */
export function TreePage(props: TreeProps) {
  const { repo, at, path } = props;
  const t = useWords(contentWords);
  return (
    <RepoPage shell={props.shell} repo={repo} tab="code" title={[path || at.name]} noIndex={at.kind === "commit"}>
      <h1 class="hidden-text">{path || repo.name}</h1>
      <WithTree tree={props.tree}>
        <CodeBar
          repo={repo}
          at={at}
          path={path}
          refs={props.refs}
          hasTree={props.tree !== undefined}
          changes={props.changes}
          clone={path === ""}
        />
        <div class="card">
          {props.latest ? (
            <LatestCommit repo={repo} commit={props.latest} historyHref={refHref(repo, "commits", at, path)} />
          ) : null}
          {props.entries.length === 0 ? (
            <EmptyState icon="file-directory-fill" title={t("emptyDirectory")} />
          ) : (
            <FileList
              repo={repo}
              at={at}
              path={path}
              entries={props.entries}
              rows={props.rows}
              lastCommitsHref={props.lastCommitsHref}
            />
          )}
          {props.hiddenEntries ? (
            <p class="list-row muted">{t("moreEntries", { count: props.hiddenEntries })}</p>
          ) : null}
        </div>
        {props.readme ? <Readme readme={props.readme} /> : null}
      </WithTree>
    </RepoPage>
  );
}
