import { isBlank, LineNumbers, lineKey, type WhitespaceOptions } from "./lines.ts";
import { type Edits, editsBetween } from "./myers.ts";
import { slideEdits } from "./slide.ts";

/** Lines `oldStart` to `oldEnd` (0-based, end exclusive) became lines `newStart` to `newEnd`. */
export interface Block {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Compares two texts, given as lines, and answers what changed, in order. Blocks never touch. */
export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  options: WhitespaceOptions = {},
): Block[] {
  const numbers = new LineNumbers(lineKey(options));
  const a = numbers.of(oldLines);
  const b = numbers.of(newLines);
  const edits = editsBetween(a, b, numbers.size);
  slideEdits(a, b, edits, oldLines, newLines);
  return blocksOf(edits);
}

/** The runs of changed elements of two sequences whose unchanged ones pair up in order. */
export function blocksOf({ removed, added }: Edits): Block[] {
  const blocks: Block[] = [];
  let x = 0;
  let y = 0;
  while (x < removed.length || y < added.length) {
    if (!removed[x] && !added[y]) {
      x++;
      y++;
      continue;
    }
    const oldStart = x;
    const newStart = y;
    while (removed[x]) x++;
    while (added[y]) y++;
    blocks.push({ oldStart, oldEnd: x, newStart, newEnd: y });
  }
  return blocks;
}

/** Whether nothing but blank lines comes and goes. */
export function isBlankBlock(block: Block, oldLines: readonly string[], newLines: readonly string[]): boolean {
  for (let i = block.oldStart; i < block.oldEnd; i++) if (!isBlank(oldLines[i]!)) return false;
  for (let i = block.newStart; i < block.newEnd; i++) if (!isBlank(newLines[i]!)) return false;
  return true;
}
