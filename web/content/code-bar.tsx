import { modulePath } from "../assets/index.ts";
import { archivesOf, CloneMenu } from "../components/clone-box.tsx";
import { Icon } from "../components/icon.tsx";
import { Breadcrumb, type Crumb } from "../components/navigation.tsx";
import { type RefChoices, RefSelector } from "../components/ref-selector.tsx";
import { Menu, MenuLink } from "../components/surface.tsx";
import { TreeToggle } from "../components/tree-toggle.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { type RefName, type RepoName, refHref } from "../links.ts";
import { TREE_COOKIE } from "./side-tree.tsx";
import { contentWords } from "./words/index.ts";

/** The parts of a path as links, starting with the repository. */
export function pathCrumbs(repo: RepoName, at: RefName, path: string): Crumb[] {
  const parts = path === "" ? [] : path.split("/");
  return [
    { label: repo.name, href: refHref(repo, "src", at) },
    ...parts.map((label, index) => ({ label, href: refHref(repo, "src", at, parts.slice(0, index + 1).join("/")) })),
  ];
}

/** URLs of the forms that change a directory. */
export interface DirectoryChanges {
  readonly newFile: string;
  readonly upload: string;
  readonly patch: string;
  /** These two are absent for the root. */
  readonly move?: string;
  readonly delete?: string;
}

export interface CodeBarProps {
  repo: RepoFrameProps;
  at: RefName;
  path: string;
  refs: RefChoices;
  /** Which page a switch to another branch goes to; by default its files. */
  page?: "src" | "blame";
  /** The clone menu is shown only with a whole tree. */
  clone?: boolean;
  /** The forms that change the directory; for users who may, on a branch. */
  changes?: DirectoryChanges | undefined;
  /** The file tree is beside it (`WithTree`). */
  hasTree?: boolean;
}

/** The bar above the files: ref, path, go to file, clone. */
export function CodeBar({ repo, at, path, refs, page = "src", clone, changes, hasTree }: CodeBarProps) {
  const t = useWords(contentWords);
  return (
    <div class="code-bar">
      {hasTree ? <TreeToggle href="#file-tree" cookie={TREE_COOKIE} name={t("fileTree")} /> : null}
      <RefSelector repo={repo} current={at} choices={refs} page={page} path={path} mayCreate={repo.may.write} />
      {path === "" ? null : <Breadcrumb crumbs={pathCrumbs(repo, at, path)} />}
      <span class="grow" />
      <GoToFile repo={repo} at={at} />
      {changes ? <AddMenu changes={changes} /> : null}
      {clone ? <CloneMenu urls={repo.cloneUrls} archives={archivesOf(repo, at)} /> : null}
    </div>
  );
}

function AddMenu({ changes }: { changes: DirectoryChanges }) {
  const t = useWords(contentWords);
  return (
    <Menu
      name={t("addFile")}
      class="menu-end"
      label={
        <span class="btn">
          <Icon name="plus" /> <span class="wide-only">{t("addFile")}</span>
        </span>
      }
    >
      <ul>
        <li>
          <MenuLink href={changes.newFile} icon="file">
            {t("newFile")}
          </MenuLink>
        </li>
        <li>
          <MenuLink href={changes.upload} icon="upload">
            {t("uploadFiles")}
          </MenuLink>
        </li>
        <li>
          <MenuLink href={changes.patch} icon="diff-modified">
            {t("applyPatch")}
          </MenuLink>
        </li>
        {changes.move ? (
          <li>
            <MenuLink href={changes.move} icon="pencil">
              {t("moveDirectory")}
            </MenuLink>
          </li>
        ) : null}
        {changes.delete ? (
          <li>
            <MenuLink href={changes.delete} icon="trash" danger>
              {t("deleteDirectory")}
            </MenuLink>
          </li>
        ) : null}
      </ul>
    </Menu>
  );
}

function GoToFile({ repo, at }: { repo: RepoName; at: RefName }) {
  const t = useWords(contentWords);
  return (
    <a
      class="btn"
      href={refHref(repo, "find", at)}
      title={t("goToFile")}
      data-hotkey="t"
      data-finder={modulePath("finder")}
      data-label={t("typePath")}
      data-paths={refHref(repo, "tree-list", at)}
      data-base={refHref(repo, "src", at)}
    >
      <Icon name="search" /> <span class="wide-only">{t("goToFile")}</span>
    </a>
  );
}
