import { LinkButton } from "../components/button.tsx";
import { CloneMenu } from "../components/clone-box.tsx";
import { Icon } from "../components/icon.tsx";
import { Breadcrumb, type Crumb } from "../components/navigation.tsx";
import { type RefChoices, RefSelector } from "../components/ref-selector.tsx";
import { Menu } from "../components/surface.tsx";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { type RefName, type RepoName, refHref } from "../links.ts";

/** The parts of a path as links, the repository first. */
export function pathCrumbs(repo: RepoName, at: RefName, path: string): Crumb[] {
  const parts = path === "" ? [] : path.split("/");
  return [
    { label: repo.name, href: refHref(repo, "src", at) },
    ...parts.map((label, index) => ({ label, href: refHref(repo, "src", at, parts.slice(0, index + 1).join("/")) })),
  ];
}

export interface CodeBarProps {
  repo: RepoFrameProps;
  at: RefName;
  path: string;
  refs: RefChoices;
  /** The clone menu stands only where a whole tree is shown. */
  clone?: boolean;
  /** The form for a new file here; for who may, on a branch. */
  newFileHref?: string | undefined;
}

/** Above the files: which branch, where in it, go to a file, clone. */
export function CodeBar({ repo, at, path, refs, clone, newFileHref }: CodeBarProps) {
  return (
    <div class="code-bar">
      <RefSelector repo={repo} current={at} choices={refs} page="src" path={path} mayCreate={repo.may.write} />
      {path === "" ? null : <Breadcrumb crumbs={pathCrumbs(repo, at, path)} />}
      <span class="grow" />
      <GoToFile repo={repo} at={at} />
      {newFileHref ? (
        <LinkButton href={newFileHref} icon="plus" title="New file">
          <span class="wide-only">New file</span>
        </LinkButton>
      ) : null}
      {clone ? <CloneMenu urls={repo.cloneUrls} /> : null}
    </div>
  );
}

function GoToFile({ repo, at }: { repo: RepoName; at: RefName }) {
  return (
    <Menu
      name="Go to file"
      class="menu-end needs-script"
      wide
      hotkey="t,Ctrl+K"
      label={
        <span class="btn">
          <Icon name="search" /> <span class="wide-only">Go to file</span>
        </span>
      }
    >
      <input
        type="search"
        aria-label="Go to file"
        placeholder="Type part of a path"
        autocomplete="off"
        spellcheck={false}
        data-files="found-files"
        data-source={refHref(repo, "tree-list", at)}
        data-base={refHref(repo, "src", at)}
      />
      <ul class="menu-list" id="found-files" />
    </Menu>
  );
}
