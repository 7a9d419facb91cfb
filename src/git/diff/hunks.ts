import { toLatin1 } from "../objects/names.ts";
import type { FunctionLines } from "./functions/function-lines.ts";
import type { Block } from "./lines/edits.ts";
import { isSpace, type Text } from "./lines/text.ts";

/** Adjacent blocks with the unchanged lines around them. Line numbers are 0-based, ends exclusive. */
export interface HunkRange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
  readonly blocks: readonly Block[];
}

export interface HunkOptions {
  /** Unchanged lines around a change; 3 by default. */
  readonly context?: number | undefined;
  /** Show up to this many more unchanged lines between two hunks instead of splitting them; 0 by default. */
  readonly interHunkContext?: number | undefined;
}

export const DEFAULT_CONTEXT = 3;

/**
 * Groups blocks into hunks as `git diff -U<context>` does: blocks whose context would touch share a hunk.
 * @param oldCount lines of the old text
 * @param newCount lines of the new text
 * @param ignored tells which blocks are shown only near blocks that are not ignored
 */
export function groupHunks(
  blocks: readonly Block[],
  oldCount: number,
  newCount: number,
  options: HunkOptions = {},
  ignored: (block: Block) => boolean = () => false,
): HunkRange[] {
  const context = options.context ?? DEFAULT_CONTEXT;
  const reach = context * 2 + (options.interHunkContext ?? 0);
  const hunks: HunkRange[] = [];
  for (let at = 0; at < blocks.length; ) {
    const first = skipFarIgnored(blocks, at, context, ignored);
    if (first === blocks.length) break;
    const last = lastOfHunk(blocks, first, context, reach, ignored);
    const top = blocks[first]!;
    const bottom = blocks[last]!;
    const after = Math.min(context, oldCount - bottom.oldEnd, newCount - bottom.newEnd);
    hunks.push({
      // With ignored blocks before it, the first change need not be equally far from the start on both sides.
      oldStart: Math.max(top.oldStart - context, 0),
      oldEnd: bottom.oldEnd + after,
      newStart: Math.max(top.newStart - context, 0),
      newEnd: bottom.newEnd + after,
      blocks: blocks.slice(first, last + 1),
    });
    at = last + 1;
  }
  return hunks;
}

/** Skips ignored blocks with no other block shortly after them. */
function skipFarIgnored(
  blocks: readonly Block[],
  from: number,
  near: number,
  ignored: (block: Block) => boolean,
): number {
  let first = from;
  for (let i = from; i < blocks.length && ignored(blocks[i]!); i++) {
    const next = blocks[i + 1];
    if (!next || next.oldStart - blocks[i]!.oldEnd >= near) first = i + 1;
  }
  return first;
}

function lastOfHunk(
  blocks: readonly Block[],
  first: number,
  near: number,
  reach: number,
  ignored: (block: Block) => boolean,
): number {
  let last = first;
  // Lines that ignored blocks since `last` add to the distance.
  let passed = 0;
  for (let i = first + 1; i < blocks.length; i++) {
    const block = blocks[i]!;
    const distance = block.oldStart - blocks[i - 1]!.oldEnd;
    if (distance > reach) break;
    const isIgnored = ignored(block);
    if (distance < near && (!isIgnored || last === i - 1)) {
      last = i;
      passed = 0;
    } else if (distance < near) passed += block.newEnd - block.newStart;
    else if (last !== i - 1 && block.oldStart + passed - blocks[last]!.oldEnd > reach) break;
    else if (!isIgnored) {
      last = i;
      passed = 0;
    } else passed += block.newEnd - block.newStart;
  }
  return last;
}

const MAX_HEADING_BYTES = 80;

/** Finds the headings of hunks: the last function line before a hunk. */
export class Headings {
  private heading: Uint8Array = NO_HEADING;
  private searchedTo = 0;

  /** @param functions if omitted: lines that begin like a function, as in git's default pattern */
  constructor(
    private readonly text: Text,
    private readonly functions?: FunctionLines,
  ) {}

  /** For a changed file: uses the language of its old path, otherwise that of its new one. */
  static of(
    before: Text,
    { oldPath, newPath }: { readonly oldPath: string; readonly newPath: string },
    { functionsOf }: { readonly functionsOf?: ((path: string) => FunctionLines | undefined) | undefined },
  ): Headings {
    return new Headings(before, functionsOf?.(oldPath) ?? functionsOf?.(newPath));
  }

  /** The heading of a hunk that starts at `start`, without trailing white space; must be called in order of hunks. */
  before(start: number): Uint8Array {
    for (let i = start - 1; i >= this.searchedTo; i--) {
      const shown = this.shownOf(i);
      if (!shown) continue;
      let end = Math.min(shown.length, MAX_HEADING_BYTES);
      while (end > 0 && isSpace(shown[end - 1]!)) end--;
      this.heading = shown.subarray(0, validEnd(shown, 0, end));
      break;
    }
    this.searchedTo = Math.max(start, this.searchedTo);
    return this.heading;
  }

  /** The heading a line provides; undefined if it is not a function line. */
  private shownOf(line: number): Uint8Array | undefined {
    const { data, starts } = this.text;
    const begin = starts[line]!;
    let end = starts[line + 1]!;
    if (!this.functions) return beginsHeading(data[begin]!) ? data.subarray(begin, end) : undefined;
    if (data[end - 1] === LF) end -= data[end - 2] === CR && end - 2 >= begin ? 2 : 1;
    const shown = this.functions(toLatin1(data.subarray(begin, end)));
    return shown === undefined ? undefined : Buffer.from(shown, "latin1");
  }
}

const LF = 0x0a;
const CR = 0x0d;

const NO_HEADING = new Uint8Array(0);

/** An ASCII letter, `_` or `$`. */
function beginsHeading(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || byte === 0x5f || byte === 0x24;
}

/** Where valid UTF-8 ends: before the first byte that is not part of a complete character. */
function validEnd(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = characterLength(data, at, end);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Length in bytes of the UTF-8 character at `at`; 0 if invalid. git rejects U+FFFE and U+FFFF. */
function characterLength(data: Uint8Array, at: number, end: number): number {
  const first = data[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > end) return 0;
  for (let i = 1; i < length; i++) if ((data[at + i]! & 0xc0) !== 0x80) return 0;
  const second = data[at + 1]!;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xef && second === 0xbf && data[at + 2]! >= 0xbe) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  return first === 0xf4 && second > 0x8f ? 0 : length;
}

/** A range as in a hunk header (`3,4`): a count of 1 is omitted, and an empty range gives the line before it. */
export function formatRange(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return `${start + 1}`;
  return `${count === 0 ? start : start + 1},${count}`;
}
