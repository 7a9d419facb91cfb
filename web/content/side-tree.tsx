import { segments } from "../../src/kernel/url-path.ts";
import { PageModule } from "../components/page-module.tsx";
import { TreeClose } from "../components/tree-toggle.tsx";
import { raw, trustHtml } from "../jsx/raw.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RefName, type RepoName, refHref } from "../links.ts";
import type { TreeLevel, TreeNode } from "./tree-levels.ts";
import { contentWords } from "./words/index.ts";

/** Set by the script when a visitor hides the tree. */
export const TREE_COOKIE = "hearth_tree";

export interface SideTree {
  readonly repo: RepoName;
  readonly at: RefName;
  /** The path that the page shows. */
  readonly path: string;
  readonly level: TreeLevel;
  readonly isHidden: boolean;
}

/** A page about a path, with the file tree on its left; on a phone the tree is shown on request. */
export function WithTree({ tree, children }: { tree: SideTree | undefined; children: Children }) {
  const t = useWords(contentWords);
  if (!tree) return <>{children}</>;
  const { repo, at } = tree;
  const more = (path: string, count: number) =>
    `<li><a href="${refHref(repo, "src", at, path)}">${Bun.escapeHTML(t("moreNodes", { count }))}</a></li>`;
  return (
    <div class={tree.isHidden ? "with-tree no-tree" : "with-tree"}>
      <nav
        class="side-tree"
        id="file-tree"
        aria-label={t("files")}
        data-files-tree={refHref(repo, "tree-view", at)}
        data-src={refHref(repo, "src", at)}
        data-contents={t("contentsOf", { name: "{name}" })}
      >
        <TreeClose />
        {raw(trustHtml(listHtml(tree, tree.level, "", more)))}
      </nav>
      <div class="stack">{children}</div>
      <PageModule name="files" />
    </div>
  );
}

const CLASS = { dir: "f f-dir", file: "f", symlink: "f f-link", submodule: "f f-sub" } as const;

/** As one string: a directory may have hundreds of entries, and every page of a file has the tree. */
function listHtml(
  tree: Pick<SideTree, "repo" | "at" | "path">,
  { nodes, hidden }: TreeLevel,
  directory: string,
  more: (path: string, count: number) => string,
): string {
  const base = refHref(tree.repo, "src", tree.at);
  const entry = (node: TreeNode): string => {
    const name = Bun.escapeHTML(node.name);
    const current = node.path === tree.path ? ' aria-current="page"' : "";
    const label =
      node.kind === "submodule"
        ? `<span class="f f-sub">${name}</span>`
        : `<a class="${CLASS[node.kind]}" href="${Bun.escapeHTML(`${base}/${segments(node.path)}`)}"${current}>${name}</a>`;
    return `<li>${label}${node.children ? listHtml(tree, node.children, node.path, more) : ""}</li>`;
  };
  return `<ul>${nodes.map(entry).join("")}${hidden > 0 ? more(directory, hidden) : ""}</ul>`;
}
