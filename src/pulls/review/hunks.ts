import type { FileService } from "../../content/files/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { DiffLine, FileHunk } from "../../git/diff/file-diff.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenPull } from "../types.ts";
import type { CodeLine } from "./types.ts";

/** Lines shown before the one commented on (contract pulls.md 6.7). */
const LINES_BEFORE = 4;
/** Larger files cannot be commented on by line. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Maximum number of lines one comment can refer to. */
const MAX_RANGE = 100;
/** Maximum stored length of a line. */
export const MAX_LINE = 2_000;

/** The lines that comments on code refer to, as parts of a diff. */
export class Hunks {
  constructor(
    private readonly history: HistoryService,
    private readonly files: FileService,
    private readonly storage: RepoStorage,
  ) {}

  /**
   * The end of the hunk that contains the line or lines; unchanged lines are shown with those before them.
   * @throws ValidationFailed if there is no such line, or the range is invalid
   */
  async around(item: SeenPull, at: CodeLine): Promise<string> {
    const { pull, seen } = item;
    const before = Math.max(LINES_BEFORE, lengthOf(at) - 1);
    if (pull.mergeBase !== undefined) {
      const { files } = await this.history.fileDiffs(seen, {
        from: pull.mergeBase,
        to: pull.headOid,
        options: { words: false },
        only: [at.path],
        limit: 1,
      });
      const placeOf = (hunk: FileHunk, number: number) =>
        hunk.lines.findIndex((line) => (number > 0 ? line.newNo === number : line.oldNo === -number));
      for (const hunk of files[0]?.hunks ?? []) {
        const found = placeOf(hunk, at.line);
        const first = at.startLine === 0 ? found : placeOf(hunk, at.startLine);
        if (found >= 0 && first >= 0) return cut(hunk, Math.min(first, found - LINES_BEFORE), found);
      }
    }
    return this.unchanged(item, at, before);
  }

  /** @throws ValidationFailed if neither side of the change has the file */
  requireFile({ pull, seen }: SeenPull, path: string): void {
    const commits = [pull.headOid, ...(pull.mergeBase === undefined ? [] : [pull.mergeBase])];
    if (path === "" || !commits.some((commit) => this.files.find(seen, commit, path)))
      throw new ValidationFailed("review.no-such-file", { field: "comments", params: { path } });
  }

  private unchanged({ pull, seen }: SeenPull, { path, line }: CodeLine, before: number): Promise<string> {
    const commit = line > 0 ? pull.headOid : (pull.mergeBase ?? pull.headOid);
    const number = Math.abs(line);
    return this.storage.reading(() => {
      const file = path === "" ? undefined : this.files.find(seen, commit, path);
      const bytes = file?.kind === "file" ? this.files.bytes(seen, file.oid, MAX_FILE_BYTES) : undefined;
      const lines = bytes === undefined ? [] : Buffer.from(bytes).toString("utf8").split("\n");
      if (number === 0 || number > lines.length || lines[number - 1] === undefined)
        throw new ValidationFailed("review.no-such-line", { field: "comments", params: { path, line: number } });
      const first = Math.max(1, number - before);
      const shown = lines.slice(first - 1, number).map((text) => ` ${text.slice(0, MAX_LINE)}`);
      return [`@@ -${first},${shown.length} +${first},${shown.length} @@`, ...shown].join("\n");
    });
  }
}

const marks = { context: " ", added: "+", deleted: "-" } as const;

/** How many lines a comment refers to. @throws ValidationFailed */
function lengthOf({ line, path, startLine }: CodeLine): number {
  if (startLine === 0) return 1;
  const length = Math.abs(line) - Math.abs(startLine) + 1;
  if (Math.sign(startLine) !== Math.sign(line) || length < 1 || length > MAX_RANGE)
    throw new ValidationFailed("review.no-such-range", { field: "comments", params: { path, line, max: MAX_RANGE } });
  return length;
}

/** The lines of the hunk in between. If nothing before them is cut off, they keep the diff's header. */
function cut(hunk: FileHunk, from: number, until: number): string {
  const shown = hunk.lines.slice(Math.max(0, from), until + 1);
  const range = from <= 0 ? rangeOf(hunk) : rangeOf(spanOf(shown));
  const texts = shown.map(({ kind, text }) => `${marks[kind]}${text.slice(0, MAX_LINE)}`);
  return [`@@ ${range} @@${hunk.heading === "" ? "" : ` ${hunk.heading}`}`, ...texts].join("\n");
}

type Span = Pick<FileHunk, "oldStart" | "oldLines" | "newStart" | "newLines">;

const rangeOf = ({ newLines, newStart, oldLines, oldStart }: Span): string =>
  `-${oldStart},${oldLines} +${newStart},${newLines}`;

function spanOf(lines: readonly DiffLine[]): Span {
  const first = (of: (line: DiffLine) => number | undefined) =>
    lines.map(of).find((number) => number !== undefined) ?? 0;
  const without = (kind: "added" | "deleted") => lines.filter((line) => line.kind !== kind).length;
  return {
    oldStart: first(({ oldNo }) => oldNo),
    oldLines: without("added"),
    newStart: first(({ newNo }) => newNo),
    newLines: without("deleted"),
  };
}
