import type { Block } from "./blocks.ts";

/** Neighbouring blocks with the unchanged lines around them. Line numbers are 0-based, ends exclusive. */
export interface HunkRange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
  readonly blocks: readonly Block[];
}

/**
 * Groups blocks into hunks as `git diff -U<context>` does: blocks whose context would touch share a hunk.
 * @param oldCount lines of the old text
 * @param newCount lines of the new text
 * @param matters when given, a hunk is left out unless one of its blocks matters
 */
export function groupHunks(
  blocks: readonly Block[],
  oldCount: number,
  newCount: number,
  context: number,
  matters: (block: Block) => boolean = () => true,
): HunkRange[] {
  const hunks: HunkRange[] = [];
  for (let first = 0; first < blocks.length; ) {
    let last = first;
    while (last + 1 < blocks.length && blocks[last + 1]!.oldStart - blocks[last]!.oldEnd <= context * 2) last++;
    const top = blocks[first]!;
    const bottom = blocks[last]!;
    const before = Math.min(context, top.oldStart, top.newStart);
    const after = Math.min(context, oldCount - bottom.oldEnd, newCount - bottom.newEnd);
    const group = blocks.slice(first, last + 1);
    if (group.some(matters)) {
      hunks.push({
        oldStart: top.oldStart - before,
        oldEnd: bottom.oldEnd + after,
        newStart: top.newStart - before,
        newEnd: bottom.newEnd + after,
        blocks: group,
      });
    }
    first = last + 1;
  }
  return hunks;
}

const MAX_HEADING = 80;

/** Finds the headings of hunks: the last line before a hunk that begins like a function, as git's default pattern does. */
export class Headings {
  private last = "";
  private searchedTo = 0;

  constructor(private readonly oldLines: readonly string[]) {}

  /** The heading, a latin1 string, of a hunk that starts at `oldStart`; hunks are asked for in order. */
  before(oldStart: number): string {
    for (let i = oldStart - 1; i >= this.searchedTo; i--) {
      const line = this.oldLines[i]!;
      if (!/^[A-Za-z_$]/.test(line)) continue;
      this.last = line.slice(0, MAX_HEADING).trimEnd();
      break;
    }
    this.searchedTo = Math.max(oldStart, 0);
    return this.last;
  }
}

/** `-3,4`: a range as a hunk header has it; a count of 1 is left out, and an empty range names the line before it. */
export function formatRange(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return `${start + 1}`;
  return `${count === 0 ? start : start + 1},${count}`;
}
