/** Which elements of two sequences changed; the others pair up in order. */
export interface Edits {
  /** 1 for each removed element of the first sequence. */
  readonly removed: Uint8Array;
  /** 1 for each added element of the second sequence. */
  readonly added: Uint8Array;
}

/** Elements `oldStart` to `oldEnd` (0-based, end exclusive) became elements `newStart` to `newEnd`. */
export interface Block {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The runs of changed elements, in order. Blocks never touch. */
export function blocksOf({ removed, added }: Edits): Block[] {
  const blocks: Block[] = [];
  const oldCount = removed.length;
  const newCount = added.length;
  let x = 0;
  let y = 0;
  for (;;) {
    // Skips the unchanged elements before the next change on either side; the search is a memchr.
    const left = untilChanged(removed, x);
    const right = untilChanged(added, y);
    const same = Math.min(left, right);
    x += same;
    y += same;
    if (x >= oldCount && y >= newCount) return blocks;
    const oldStart = x;
    const newStart = y;
    while (x < oldCount && removed[x] === 1) x++;
    while (y < newCount && added[y] === 1) y++;
    blocks.push({ oldStart, oldEnd: x, newStart, newEnd: y });
  }
}

function untilChanged(changed: Uint8Array, from: number): number {
  if (changed[from] === 1) return 0;
  const next = changed.indexOf(1, from);
  return (next < 0 ? changed.length : next) - from;
}
