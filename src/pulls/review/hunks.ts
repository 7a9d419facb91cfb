import type { FileService } from "../../content/files/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { DiffLine, FileHunk } from "../../git/diff/file-diff.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenPull } from "../types.ts";
import type { CodeLine } from "./types.ts";

/** Lines shown before the one that is spoken of (contract pulls.md 6.7). */
const LINES_BEFORE = 4;
/** Larger files have no lines that are spoken of. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** What is kept of a line. */
const MAX_LINE = 2_000;

/** The lines that comments on code speak of, as parts of a diff. */
export class Hunks {
  constructor(
    private readonly history: HistoryService,
    private readonly files: FileService,
    private readonly storage: RepoStorage,
  ) {}

  /**
   * The end of the hunk that has the line; a line that did not change is shown with those before it.
   * @throws ValidationFailed there is no such line
   */
  async around(item: SeenPull, at: CodeLine): Promise<string> {
    const { pull, seen } = item;
    if (pull.mergeBase !== undefined) {
      const { files } = await this.history.fileDiffs(seen, {
        from: pull.mergeBase,
        to: pull.headOid,
        options: { words: false },
        only: [at.path],
        limit: 1,
      });
      for (const hunk of files[0]?.hunks ?? []) {
        const found = hunk.lines.findIndex((line) => (at.line > 0 ? line.newNo === at.line : line.oldNo === -at.line));
        if (found >= 0) return cut(hunk, found);
      }
    }
    return this.unchanged(item, at);
  }

  private unchanged({ pull, seen }: SeenPull, { path, line }: CodeLine): Promise<string> {
    const commit = line > 0 ? pull.headOid : (pull.mergeBase ?? pull.headOid);
    const number = Math.abs(line);
    return this.storage.reading(() => {
      const file = path === "" ? undefined : this.files.find(seen, commit, path);
      const bytes = file?.kind === "file" ? this.files.bytes(seen, file.oid, MAX_FILE_BYTES) : undefined;
      const lines = bytes === undefined ? [] : Buffer.from(bytes).toString("utf8").split("\n");
      if (number === 0 || number > lines.length || lines[number - 1] === undefined)
        throw new ValidationFailed("review.no-such-line", { field: "comments", params: { path, line: number } });
      const first = Math.max(1, number - LINES_BEFORE);
      const shown = lines.slice(first - 1, number).map((text) => ` ${text.slice(0, MAX_LINE)}`);
      return [`@@ -${first},${shown.length} +${first},${shown.length} @@`, ...shown].join("\n");
    });
  }
}

const marks = { context: " ", added: "+", deleted: "-" } as const;

function cut({ heading, lines }: FileHunk, at: number): string {
  const shown = lines.slice(Math.max(0, at - LINES_BEFORE), at + 1);
  const first = (of: (line: DiffLine) => number | undefined) =>
    shown.map(of).find((number) => number !== undefined) ?? 0;
  const count = (kind: "added" | "deleted") => shown.filter((line) => line.kind !== kind).length;
  const range = `-${first(({ oldNo }) => oldNo)},${count("added")} +${first(({ newNo }) => newNo)},${count("deleted")}`;
  const texts = shown.map(({ kind, text }) => `${marks[kind]}${text.slice(0, MAX_LINE)}`);
  return [`@@ ${range} @@${heading === "" ? "" : ` ${heading}`}`, ...texts].join("\n");
}
