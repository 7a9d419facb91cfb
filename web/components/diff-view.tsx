import type { PlainKey } from "../../src/language/catalogue.ts";
import { raw } from "../jsx/raw.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoName, refHref, withQuery } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { CopyButton } from "./button.tsx";
import { diffRows } from "./diff-rows.ts";
import type { DiffStyle, FileDiff } from "./diff-types.ts";
import { Icon, type IconName } from "./icon.tsx";

/** Longer files wait behind "Load diff" (contract: web.md section 4.10). */
const FOLD_FROM_LINES = 1000;
/** Longer ones are laid out when they are scrolled to; shorter ones at once, so that nothing shifts. */
const UNSEEN_FROM_LINES = 200;
const MAX_LINE = 5000;

export interface DiffViewProps {
  repo: RepoName;
  files: readonly FileDiff[];
  style: DiffStyle;
  /** This page's address: the switch of style and "Load diff" are built on it. */
  href: string;
  /** The commits whose files the heads link to; the old one is missing for a first commit. */
  newCommit: string;
  oldCommit?: string;
  /** However long its changes are, a file is shown. */
  whole?: boolean | undefined;
  /** Changes of white space are left out. */
  ignoresSpace?: boolean | undefined;
  /** Files of the change that are not in `files`, and where the rest begins. */
  more?: { readonly count: number; readonly href: string };
}

/** The id of a file's box, as in the addresses people have bookmarked: SHA-1 of the path. */
export function diffAnchor(path: string): string {
  return `diff-${new Bun.CryptoHasher("sha1").update(path).digest("hex")}`;
}

const ICONS: Record<FileDiff["status"], IconName> = {
  added: "diff-added",
  deleted: "diff-removed",
  modified: "diff-modified",
  typechange: "diff-modified",
  renamed: "diff-renamed",
  copied: "diff-renamed",
};

/** All files of a change: what changed in numbers, a list to jump by, and a box a file. */
export function DiffView(props: DiffViewProps) {
  const t = useWords(siteWords);
  const additions = props.files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = props.files.reduce((sum, file) => sum + file.deletions, 0);
  if (props.files.length === 0) return <p class="empty">{t("noDifferences")}</p>;
  return (
    <div class="diffs" id="diffs">
      <div class="diff-bar">
        <details class="diff-list">
          <summary>
            <Icon name="rows" /> {t("filesChanged", { count: props.files.length + (props.more?.count ?? 0) })}{" "}
            <Changed additions={additions} deletions={deletions} />
          </summary>
          <ol>
            {props.files.map((file) => (
              <li>
                <a href={`#${diffAnchor(file.newPath)}`}>
                  <Icon name={ICONS[file.status]} label={t(`diff-${file.status}`)} /> {file.newPath}
                </a>
                <Changed additions={file.additions} deletions={file.deletions} />
              </li>
            ))}
          </ol>
        </details>
        <button type="button" class="btn btn-small needs-script" data-fold-files="">
          {t("foldFiles")}
        </button>
        <a
          class="btn btn-small"
          {...inPlace(withQuery(props.href, { whitespace: props.ignoresSpace ? undefined : "ignore-all" }))}
          aria-current={props.ignoresSpace ? "true" : undefined}
        >
          {props.ignoresSpace ? t("showWhitespace") : t("ignoreWhitespace")}
        </a>
        <span class="btn-row">
          <a
            class="btn btn-small"
            {...inPlace(withQuery(props.href, { style: "unified" }))}
            aria-current={props.style === "unified" ? "page" : undefined}
          >
            <Icon name="rows" /> {t("unified")}
          </a>
          <a
            class="btn btn-small"
            {...inPlace(withQuery(props.href, { style: "split" }))}
            aria-current={props.style === "split" ? "page" : undefined}
          >
            <Icon name="columns" /> {t("split")}
          </a>
        </span>
      </div>
      {props.files.map((file) => (
        <DiffFileBox file={file} of={props} />
      ))}
      {props.more ? (
        <p class="flash flash-info" id="more-files">
          <Icon name="info" />
          <span>
            {t("moreFiles")}{" "}
            <a
              href={props.more.href}
              hx-get={props.more.href}
              hx-select="#diffs > .diff-file, #more-files"
              hx-target="#more-files"
              hx-swap="outerHTML"
            >
              {t("nextFiles", { count: props.more.count })}
            </a>
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** A link that shows the diff again where it stands, without a jump to the top of the page. */
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

/** One file of a diff, with its head. */
export function DiffFileBox({ file, of }: { file: FileDiff; of: Omit<DiffViewProps, "files" | "more"> }) {
  const t = useWords(siteWords);
  const anchor = diffAnchor(file.newPath);
  const gone = file.status === "deleted";
  const commit = gone ? of.oldCommit : of.newCommit;
  return (
    <details class="diff-file" id={anchor} open>
      <summary class="diff-head">
        <Icon name={ICONS[file.status]} label={t(`diff-${file.status}`)} />
        <h2>
          {file.oldPath !== file.newPath && (file.status === "renamed" || file.status === "copied") ? (
            <>
              {file.oldPath} <span class="muted">→</span> {file.newPath}
            </>
          ) : (
            file.newPath
          )}
        </h2>
        {file.additions + file.deletions > 0 ? <Changed additions={file.additions} deletions={file.deletions} /> : null}
      </summary>
      <div class="diff-tools">
        <FileFacts file={file} />
        <CopyButton small text={file.newPath} label={t("copyPathOf", { path: file.newPath })} />
        {commit ? (
          <a href={refHref(of.repo, "src", { kind: "commit", name: commit }, gone ? file.oldPath : file.newPath)}>
            {t("viewFile")}
          </a>
        ) : null}
      </div>
      <DiffFileBody file={file} style={of.style} href={of.href} whole={of.whole} />
    </details>
  );
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

/** The lines of one file, or why they are not shown; also the fragment that answers "Load diff". */
export function DiffFileBody({
  file,
  style,
  href,
  whole,
}: {
  file: FileDiff;
  style: DiffStyle;
  href: string;
  whole?: boolean | undefined;
}) {
  const t = useWords(siteWords);
  if (file.binary) return <p class="diff-note">{t("binaryNotShown")}</p>;
  const load = withQuery(href, { style, files: file.newPath, "file-only": "true" });
  if (file.tooLarge) {
    const changed = file.additions + file.deletions;
    if (changed === 0 || whole) return <p class="diff-note">{t("diffTooLarge")}</p>;
    return <LoadDiff href={load} lines={changed} />;
  }
  if (file.hunks.length === 0) return <p class="diff-note">{t(emptyReason(file))}</p>;
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (file.hunks.some((hunk) => hunk.lines.some((line) => line.text.length > MAX_LINE)))
    return <p class="diff-note">{t("diffLinesTooLong")}</p>;
  if (lines > FOLD_FROM_LINES && !whole) return <LoadDiff href={load} lines={lines} />;
  return (
    <section
      class={lines > UNSEEN_FROM_LINES ? "diff-scroll diff-long" : "diff-scroll"}
      aria-label={t("changesOf", { path: file.newPath })}
      tabindex={0}
    >
      <table class={`diff diff-${style}`}>
        <colgroup>
          <col class="c-no" />
          <col class={style === "split" ? undefined : "c-no"} />
          <col class={style === "split" ? "c-no" : undefined} />
          {style === "split" ? <col /> : null}
        </colgroup>
        {raw(diffRows(file.hunks, style, diffAnchor(file.newPath), t("noNewline")))}
      </table>
    </section>
  );
}

/** Asks for the lines of one file; a plain link to a page of that file where there is no script. */
function LoadDiff({ href, lines }: { href: string; lines: number }) {
  const t = useWords(siteWords);
  return (
    <p class="diff-note diff-load">
      {t("diffFolded", { count: lines })}{" "}
      <a class="btn btn-small" href={href} hx-get={href} hx-target="closest .diff-load" hx-swap="outerHTML">
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
