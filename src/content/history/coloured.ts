import type { DiffLine, FileDiff, FileHunk } from "../../git/diff/file-diff.ts";
import type { Mark } from "../../git/diff/words.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { highlightLines } from "../../markup/highlighter.ts";
import { languageOf } from "../../markup/languages.ts";
import { type SafeHtml, trustHtml } from "../../markup/safe-html.ts";

/** A line of a diff; `html` is its text with syntax highlighting, and its changed words in `<b>`. */
export interface ColouredLine extends DiffLine {
  readonly html?: SafeHtml;
}

export interface ColouredHunk extends Omit<FileHunk, "lines"> {
  readonly lines: ColouredLine[];
}

export interface ColouredFile extends Omit<FileDiff, "hunks"> {
  readonly hunks: ColouredHunk[];
}

/** Larger files are not highlighted, nor is anything after this much time (contract web.md 4.10). */
const MAX_BYTES = 256 * 1024;
const MAX_MS = 2_000;

/**
 * Highlights the lines of diffs. Each side is read whole: whether a line is within a comment or a string depends on
 * what precedes it.
 */
export class DiffColours {
  private spentMs = 0;

  constructor(private readonly store: ObjectSource) {}

  coloured(file: FileDiff): ColouredFile {
    if (file.hunks.length === 0 || this.spentMs > MAX_MS) return file;
    const began = performance.now();
    const before = file.deletions > 0 ? this.lines(file.oldOid, file.oldPath, file.oldBytes) : undefined;
    const after = this.lines(file.newOid, file.newPath, file.newBytes);
    // Deleted lines are taken from the old side, all others from the new one.
    const lineOf = (line: DiffLine) =>
      line.kind === "deleted" ? before?.[(line.oldNo ?? 0) - 1] : after?.[(line.newNo ?? 0) - 1];
    const hunks = file.hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.map((line): ColouredLine => {
        const html = lineOf(line);
        const marked = html && line.marks ? markedHtml(html, line.text, line.marks) : html;
        return marked === undefined ? line : { ...line, html: marked };
      }),
    }));
    this.spentMs += performance.now() - began;
    return { ...file, hunks };
  }

  /** The highlighted lines of a blob; undefined if it is not highlighted. */
  private lines(oid: Oid | undefined, path: string, sizeBytes = 0): readonly SafeHtml[] | undefined {
    if (oid === undefined || sizeBytes > MAX_BYTES) return undefined;
    const fileName = path.slice(path.lastIndexOf("/") + 1);
    const object = this.store.read(oid);
    if (object?.type !== "blob") return undefined;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(object.data);
    if (languageOf(fileName, text.slice(0, 200)) === "") return undefined;
    return highlightLines(text, { fileName }).lines;
  }
}

const TAG_OR_CHARACTER = /<[^<>]*>|&[^&;]*;|[\uD800-\uDBFF][\uDC00-\uDFFF]|[^<&]/g;

/**
 * Marks words in the highlighter's HTML of a line. A mark is closed and reopened at element boundaries.
 * @returns undefined if the HTML does not match the text
 */
export function markedHtml(html: SafeHtml, text: string, marks: readonly Mark[]): SafeHtml | undefined {
  const plain = text.endsWith("\r") ? text.slice(0, -1) : text;
  let result = "";
  let at = 0;
  let next = 0;
  let isOpen = false;
  for (const [piece] of html.toString().matchAll(TAG_OR_CHARACTER)) {
    if (piece.startsWith("<")) {
      if (isOpen) result += "</b>";
      isOpen = false;
      result += piece;
      continue;
    }
    while (next < marks.length && at >= (marks[next]?.[1] ?? 0)) next++;
    const [start = 0, end = 0] = marks[next] ?? [];
    const isMarked = next < marks.length && at >= start && at < end;
    if (isMarked !== isOpen) result += isMarked ? "<b>" : "</b>";
    isOpen = isMarked;
    result += piece;
    at += piece.startsWith("&") ? 1 : piece.length;
  }
  if (isOpen) result += "</b>";
  return at === plain.length ? trustHtml(result) : undefined;
}
