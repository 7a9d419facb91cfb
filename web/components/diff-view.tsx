import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { Changed, DiffFileBox, type DiffFileProps } from "./diff-file.tsx";
import { DiffTree } from "./diff-tree.tsx";
import type { FileDiff } from "./diff-types.ts";
import { Icon } from "./icon.tsx";
import { PageModule } from "./page-module.tsx";
import { TreeToggle } from "./tree-toggle.tsx";

/** Set by the script when a visitor hides the file tree. */
export const DIFF_TREE_COOKIE = "hearth_diff_tree";

export interface DiffViewProps extends DiffFileProps {
  files: readonly FileDiff[];
  /** Whitespace changes are left out. */
  ignoresSpace?: boolean | undefined;
  /** Files of the change that are not in `files`, and the URL where the rest begins. */
  more?: { readonly count: number; readonly href: string };
  /** What the page adds to the bar above the files. */
  bar?: Children;
  /** Additional files in the tree; they come after `files` and include those of `more`. */
  unloaded?: readonly FileDiff[] | undefined;
  /** The visitor has hidden the file tree. */
  isTreeHidden?: boolean | undefined;
}

/** All files of a change: a summary in numbers, a tree to navigate by, and a box per file. */
export function DiffView(props: DiffViewProps) {
  const t = useWords(siteWords);
  const { files, more, unloaded = [] } = props;
  if (files.length === 0) return <p class="empty">{t("noDifferences")}</p>;
  return (
    <>
      <div class={`diffs${props.isTreeHidden ? " no-tree" : ""}`} id="diffs">
        <DiffBar {...props} />
        <DiffTree files={files} unloaded={unloaded} href={props.href} />
        <div class="diff-files">
          {files.map((file) => (
            <DiffFileBox file={file} of={props} />
          ))}
          {more ? (
            <p class="flash flash-info" id="more-files">
              <Icon name="info" />
              <span>
                {t("moreFiles")}{" "}
                <a
                  href={more.href}
                  hx-get={more.href}
                  hx-select="#diffs .diff-box, #more-files"
                  hx-target="#more-files"
                  hx-swap="outerHTML"
                  hx-trigger={unloaded.length > 0 ? "click, intersect once" : undefined}
                >
                  {t("nextFiles", { count: more.count })}
                </a>
              </span>
            </p>
          ) : null}
        </div>
      </div>
      <PageModule name="diffs" />
    </>
  );
}

/** The summary in numbers, and display options. */
function DiffBar(props: DiffViewProps) {
  const t = useWords(siteWords);
  const { files, ignoresSpace, more, style } = props;
  const listed = [...files, ...(props.unloaded ?? [])];
  const additions = listed.reduce((sum, file) => sum + file.additions, 0);
  const deletions = listed.reduce((sum, file) => sum + file.deletions, 0);
  return (
    <div class="diff-bar">
      <TreeToggle href="#diff-tree" cookie={DIFF_TREE_COOKIE}>
        {t("filesChanged", { count: files.length + (more?.count ?? 0) })}{" "}
        <Changed additions={additions} deletions={deletions} />
      </TreeToggle>
      {props.bar}
      <span class="grow" />
      <button type="button" class="btn btn-small needs-script" data-fold-files="">
        {t("foldFiles")}
      </button>
      <a
        class="btn btn-small"
        {...inPlace(withQuery(props.href, { whitespace: ignoresSpace ? undefined : "ignore-all" }))}
        aria-current={ignoresSpace ? "true" : undefined}
      >
        {ignoresSpace ? t("showWhitespace") : t("ignoreWhitespace")}
      </a>
      <span class="btn-row">
        <a
          class="btn btn-small"
          {...inPlace(withQuery(props.href, { style: "unified" }))}
          aria-current={style === "unified" ? "page" : undefined}
        >
          <Icon name="rows" /> {t("unified")}
        </a>
        <a
          class="btn btn-small"
          {...inPlace(withQuery(props.href, { style: "split" }))}
          aria-current={style === "split" ? "page" : undefined}
        >
          <Icon name="columns" /> {t("split")}
        </a>
      </span>
    </div>
  );
}

/** A link that reloads the diff in place, without a jump to the top of the page. */
function inPlace(href: string) {
  return {
    href,
    "hx-boost": "true",
    "hx-select": "#diffs",
    "hx-target": "#diffs",
    "hx-swap": "outerHTML",
    "hx-push-url": "true",
  } as const;
}
