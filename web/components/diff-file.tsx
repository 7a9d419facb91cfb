import type { PlainKey } from "../../src/language/catalogue.ts";
import { raw } from "../jsx/raw.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoName, refHref, repoHref, withQuery } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { CopyButton, IconLink } from "./button.tsx";
import { EXPANDED_LINES, type RowWords } from "./diff-gaps.ts";
import { DiffImages } from "./diff-images.tsx";
import { diffRows } from "./diff-rows.ts";
import type { DiffSource, DiffStyle, FileDiff, FileSlots, SlotsOf } from "./diff-types.ts";
import { Icon, type IconName } from "./icon.tsx";
import { mediaKind } from "./media-kind.ts";

/** Longer files are hidden behind "Load diff" (contract: web.md section 4.10). */
const FOLD_FROM_LINES = 1000;
/** Longer files are laid out when they are scrolled to; shorter ones immediately, so that nothing shifts. */
const UNSEEN_FROM_LINES = 200;
const MAX_LINE = 5000;
/** Longer files cannot be shown with all their lines. */
const MAX_WHOLE_LINES = 15_000;

/** Shared by all files of a diff. */
export interface DiffFileProps {
  repo: RepoName;
  style: DiffStyle;
  /** The page's URL: "Load diff" and "Show all lines" are built on it. */
  href: string;
  /** The commits whose files the headers link to: no links when the new one is absent; a root commit has no old one. */
  newCommit?: string | undefined;
  oldCommit?: string;
  /** Show the file however long its changes are. */
  whole?: boolean | undefined;
  /** Where more lines of the files come from; absent: no more can be loaded. */
  source?: DiffSource | undefined;
  /** Content that the page adds to the files' boxes. */
  slots?: SlotsOf | undefined;
}

/** The id of a file's box, as in bookmarked URLs: the SHA-1 of the path. */
export function diffAnchor(path: string): string {
  return `diff-${new Bun.CryptoHasher("sha1").update(path).digest("hex")}`;
}

export const DIFF_ICONS: Record<FileDiff["status"], IconName> = {
  added: "diff-added",
  deleted: "diff-removed",
  modified: "diff-modified",
  typechange: "diff-modified",
  renamed: "diff-renamed",
  copied: "diff-renamed",
};

export function Changed({ additions, deletions }: { additions: number; deletions: number }) {
  const t = useWords(siteWords);
  const language = useLanguage();
  return (
    <span class="changed">
      <span class="plus" aria-hidden="true">
        +{language.number(additions)}
      </span>
      <span class="minus" aria-hidden="true">
        −{language.number(deletions)}
      </span>
      <span class="hidden-text">
        {t("linesAdded", { count: additions })}, {t("linesRemoved", { count: deletions })}
      </span>
    </span>
  );
}

/** One file of a diff with its header. The tools are beside the summary, which may hold no other controls. */
export function DiffFileBox({ file, of }: { file: FileDiff; of: DiffFileProps }) {
  const t = useWords(siteWords);
  const anchor = diffAnchor(file.newPath);
  const gone = file.status === "deleted";
  const commit = gone ? of.oldCommit : of.newCommit;
  const slots = of.slots?.(file);
  const wholeHref = wholeHrefOf(file, of);
  return (
    <div class="diff-box">
      <details class="diff-file" id={anchor} open={!slots?.isFolded}>
        <summary class="diff-head">
          <Icon name={DIFF_ICONS[file.status]} label={t(`diff-${file.status}`)} />
          <h2>
            {file.oldPath !== file.newPath && (file.status === "renamed" || file.status === "copied") ? (
              <>
                {file.oldPath} <span class="muted">→</span> {file.newPath}
              </>
            ) : (
              file.newPath
            )}
          </h2>
          {file.additions + file.deletions > 0 ? (
            <Changed additions={file.additions} deletions={file.deletions} />
          ) : null}
        </summary>
        {slots?.top}
        <DiffFileBody file={file} of={of} slots={slots} />
      </details>
      <div class="diff-tools">
        <FileFacts file={file} />
        <CopyButton small text={file.newPath} label={t("copyPathOf", { path: file.newPath })} />
        {wholeHref && file.hunks.length > 0 ? (
          // biome-ignore lint/a11y/useAnchorContent: the icon is drawn by the class, the name is the label
          <a
            class="btn btn-icon btn-quiet btn-small i-unfold"
            href={wholeHref}
            hx-get={wholeHref}
            hx-target={`#${anchor} .diff-scroll`}
            hx-swap="outerHTML"
            aria-label={t("showAllLinesOf", { path: file.newPath })}
            title={t("showAllLines")}
          />
        ) : null}
        {commit ? (
          <IconLink
            small
            icon="file"
            href={refHref(of.repo, "src", { kind: "commit", name: commit }, gone ? file.oldPath : file.newPath)}
            label={t("viewFileOf", { path: file.newPath })}
            title={t("viewFile")}
          />
        ) : null}
        {slots?.tools}
      </div>
    </div>
  );
}

/** The URL that shows all lines of a file; undefined when there are no more, or too many. */
function wholeHrefOf(file: FileDiff, { href, source, style }: Pick<DiffFileProps, "href" | "source" | "style">) {
  const total = file.newLineCount ?? 0;
  if (!source || file.status === "added" || total === 0 || total > MAX_WHOLE_LINES) return undefined;
  return withQuery(href, { style, files: file.newPath, "file-only": "true", context: "all" });
}

function FileFacts({ file }: { file: FileDiff }) {
  const t = useWords(siteWords);
  const facts: string[] = [];
  if (file.status === "added" || file.status === "deleted")
    facts.push(file.status === "added" ? t("newFile") : t("deletedFile"));
  if (file.similarity !== undefined && (file.status === "renamed" || file.status === "copied"))
    facts.push(t("similarity", { percent: file.similarity }));
  if (file.oldMode !== file.newMode && file.status !== "added" && file.status !== "deleted")
    facts.push(t("modeChange", { from: file.oldMode, to: file.newMode }));
  if (file.newMode === "160000" || file.oldMode === "160000") facts.push(t("submodule"));
  return <span class="muted">{facts.join(" · ")}</span>;
}

/** The lines of one file, or why they are not shown; also the response to "Load diff". */
export function DiffFileBody({
  file,
  of,
  slots,
}: {
  file: FileDiff;
  of: Pick<DiffFileProps, "style" | "href" | "whole" | "source">;
  slots?: FileSlots | undefined;
}) {
  const t = useWords(siteWords);
  const { href, source, style, whole } = of;
  if (file.binary) {
    if (source && !source.below && mediaKind(file.newPath) === "image")
      return <DiffImages file={file} source={source} />;
    return <BinaryNote file={file} />;
  }
  const load = withQuery(href, { style, files: file.newPath, "file-only": "true" });
  if (file.tooLarge) {
    const changed = file.additions + file.deletions;
    if (changed === 0 || whole) return <p class="diff-note">{t("diffTooLarge")}</p>;
    return <LoadDiff href={load} lines={changed} isLong={changed > FOLD_FROM_LINES} />;
  }
  if (file.hunks.length === 0) return <p class="diff-note">{t(emptyReason(file))}</p>;
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (file.hunks.some((hunk) => hunk.lines.some((line) => line.text.length > MAX_LINE)))
    return <p class="diff-note">{t("diffLinesTooLong")}</p>;
  if (lines > FOLD_FROM_LINES && !whole) return <LoadDiff href={load} lines={lines} isLong />;
  const anchor = diffAnchor(file.newPath);
  const wholeHref = wholeHrefOf(file, of);
  const words = useRowWords(wholeHref);
  return (
    <section
      class={lines > UNSEEN_FROM_LINES ? "diff-scroll diff-long" : "diff-scroll"}
      aria-label={t("changesOf", { path: file.newPath })}
      tabindex={0}
    >
      <table
        class={`diff diff-${style}`}
        data-excerpt={wholeHref && source ? excerptHref(file, style, source, slots?.lines?.form) : undefined}
      >
        <colgroup>
          <col class="c-no" />
          <col class={style === "split" ? undefined : "c-no"} />
          <col class={style === "split" ? "c-no" : undefined} />
          {style === "split" ? <col /> : null}
        </colgroup>
        {raw(diffRows(file, style, anchor, words, slots?.lines))}
      </table>
    </section>
  );
}

/** Texts in the rows of a diff. */
export function useRowWords(wholeHref: string | undefined): RowWords {
  const t = useWords(siteWords);
  const count = EXPANDED_LINES;
  return {
    wholeHref,
    noNewline: t("noNewline"),
    expandUp: t("expandUp", { count }),
    expandDown: t("expandDown", { count }),
    expandAll: t("expandAll"),
  };
}

/** Where more lines of a file come from; the script adds the range (contract web.md 1.6, `blob_excerpt`). */
function excerptHref({ newPath }: FileDiff, style: DiffStyle, of: DiffSource, form: string | undefined) {
  return withQuery(repoHref(of.repo, `${of.below ? `${of.below}/` : ""}blob_excerpt/${of.commit}`), {
    path: newPath,
    style,
    anchor: diffAnchor(newPath),
    form,
  });
}

function BinaryNote({ file }: { file: FileDiff }) {
  const t = useWords(siteWords);
  const language = useLanguage();
  const sizes = [file.oldBytes, file.newBytes].filter((size) => size !== undefined);
  return (
    <p class="diff-note">
      {t("binaryNotShown")} {sizes.map((size) => language.size(size)).join(" → ")}
    </p>
  );
}

/**
 * Loads the lines of one file: of a long one on click, of others also when scrolled to. Without JavaScript, a plain
 * link to a page with that file.
 */
function LoadDiff({ href, isLong, lines }: { href: string; isLong: boolean; lines: number }) {
  const t = useWords(siteWords);
  return (
    <p class={isLong ? "diff-note diff-load" : "diff-note diff-load diff-later"}>
      {isLong ? t("diffFolded", { count: lines }) : null}{" "}
      <a
        class="btn btn-small"
        href={href}
        hx-get={href}
        hx-target="closest .diff-load"
        hx-swap="outerHTML"
        hx-trigger={isLong ? undefined : "click, intersect once"}
      >
        {t("loadDiff")}
      </a>
    </p>
  );
}

function emptyReason(file: FileDiff): PlainKey<typeof siteWords.source> {
  if (file.status === "renamed") return "renamedOnly";
  if (file.status === "copied") return "copiedOnly";
  if (file.oldMode !== file.newMode && file.status === "modified") return "modeOnly";
  return file.status === "added" || file.status === "deleted" ? "emptyFile" : "noLinesChanged";
}
