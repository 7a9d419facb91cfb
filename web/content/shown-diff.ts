import type { ColouredFile, ColouredLine } from "../../src/content/history/coloured.ts";
import type { DiffLine, FileDiff } from "../components/diff-types.ts";

const LINE_KINDS = { context: "context", added: "add", deleted: "del" } as const;

/** A file of a diff as the view needs it. */
export function shownDiff(file: ColouredFile): FileDiff {
  return {
    oldPath: file.oldPath,
    newPath: file.newPath,
    status: file.status === "typechanged" ? "typechange" : file.status,
    oldMode: modeText(file.oldMode),
    newMode: modeText(file.newMode),
    oldOid: file.oldOid ?? "",
    newOid: file.newOid ?? "",
    binary: file.binary,
    tooLarge: file.tooLarge,
    additions: file.additions,
    deletions: file.deletions,
    oldBytes: file.oldBytes,
    newBytes: file.newBytes,
    newLineCount: file.newLineCount,
    hunks: file.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(shownLine) })),
    ...(file.similarity === undefined ? {} : { similarity: file.similarity }),
  };
}

function shownLine(line: ColouredLine): DiffLine {
  return {
    kind: LINE_KINDS[line.kind],
    text: line.text,
    ...(line.html === undefined ? {} : { html: line.html }),
    ...(line.oldNo === undefined ? {} : { oldNo: line.oldNo }),
    ...(line.newNo === undefined ? {} : { newNo: line.newNo }),
    ...(line.marks ? { marks: line.marks } : {}),
    ...(line.noNewline ? { noNewline: true } : {}),
  };
}

function modeText(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}
