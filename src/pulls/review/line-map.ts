import type { FileDiff } from "../../git/diff/file-diff.ts";
import type { CodeLine } from "./types.ts";

type Changed = Pick<FileDiff, "binary" | "hunks" | "newPath" | "status" | "tooLarge">;

/**
 * Where the lines of a comment are after a change to their file; the same object if they did not move.
 * @param file the changes to it, without context; undefined if none
 * @returns undefined if one of them is gone, or it cannot be determined
 */
export function carriedTo(at: CodeLine, file: Changed | undefined): CodeLine | undefined {
  if (!file) return at;
  if (file.status === "deleted") return undefined;
  const path = file.newPath;
  if (at.line === 0) return path === at.path ? at : { ...at, path };
  if (file.binary || file.tooLarge) return undefined;
  const sign = Math.sign(at.line);
  const [first, last] = [Math.abs(at.startLine || at.line), Math.abs(at.line)];
  const line = newNumber(file.hunks, last);
  if (line === undefined) return undefined;
  for (let number = first; number < last; number++)
    if (newNumber(file.hunks, number) !== line - (last - number)) return undefined;
  if (line === last && path === at.path) return at;
  return { path, line: sign * line, startLine: at.startLine === 0 ? 0 : sign * (line - (last - first)) };
}

/** The number of an old file's line in the new file; undefined if it is gone. */
function newNumber(hunks: Changed["hunks"], number: number): number | undefined {
  let offset = 0;
  for (const { newLines, oldLines, oldStart } of hunks) {
    // A hunk that removes nothing comes after its line.
    if (oldLines === 0 ? number <= oldStart : number < oldStart) break;
    if (number < oldStart + oldLines) return undefined;
    offset += newLines - oldLines;
  }
  return number + offset;
}
