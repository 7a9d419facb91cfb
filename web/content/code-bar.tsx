import { LinkButton } from "../components/button.tsx";
import { archivesOf, CloneMenu } from "../components/clone-box.tsx";
import { Icon } from "../components/icon.tsx";
import { Breadcrumb, type Crumb } from "../components/navigation.tsx";
import { type RefChoices, RefSelector } from "../components/ref-selector.tsx";
import { Menu } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { type RefName, type RepoName, refHref } from "../links.ts";
import { contentWords } from "./words/index.ts";

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
  /** What another branch is shown as; its files without it. */
  page?: "src" | "blame";
  /** The clone menu stands only where a whole tree is shown. */
  clone?: boolean;
  /** The form for a new file here; for who may, on a branch. */
  newFileHref?: string | undefined;
}

/** Above the files: which branch, where in it, go to a file, clone. */
export function CodeBar({ repo, at, path, refs, page = "src", clone, newFileHref }: CodeBarProps) {
  const t = useWords(contentWords);
  return (
    <div class="code-bar">
      <RefSelector repo={repo} current={at} choices={refs} page={page} path={path} mayCreate={repo.may.write} />
      {path === "" ? null : <Breadcrumb crumbs={pathCrumbs(repo, at, path)} />}
      <span class="grow" />
      <GoToFile repo={repo} at={at} />
      {newFileHref ? (
        <LinkButton href={newFileHref} icon="plus" title={t("newFile")}>
          <span class="wide-only">{t("newFile")}</span>
        </LinkButton>
      ) : null}
      {clone ? <CloneMenu urls={repo.cloneUrls} archives={archivesOf(repo, at)} /> : null}
    </div>
  );
}

function GoToFile({ repo, at }: { repo: RepoName; at: RefName }) {
  const t = useWords(contentWords);
  return (
    <Menu
      name={t("goToFile")}
      class="menu-end needs-script"
      wide
      hotkey="t,Ctrl+K"
      label={
        <span class="btn">
          <Icon name="search" /> <span class="wide-only">{t("goToFile")}</span>
        </span>
      }
    >
      <input
        type="search"
        aria-label={t("goToFile")}
        placeholder={t("typePath")}
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
