import { blocksOf } from "../diff/lines/edits.ts";
import { editsBetween } from "../diff/lines/myers.ts";
import { StringNumbers } from "../diff/lines/strings.ts";
import type { Oid } from "../objects/types.ts";
import { assign } from "./assignment.ts";

/** A commit with its patch as lines, without line numbers, which would shift. */
export interface RangeDiffCommit {
  readonly oid: Oid;
  readonly subject: string;
  /** Author and message. */
  readonly head: readonly string[];
  readonly patch: readonly string[];
}

/** A line of the difference between two patches. */
export interface PatchLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

export interface RangeDiffPair {
  readonly kind: "same" | "changed" | "added" | "removed";
  readonly old: Pick<RangeDiffCommit, "oid" | "subject"> | undefined;
  readonly new: Pick<RangeDiffCommit, "oid" | "subject"> | undefined;
  /** For changed commits, the difference of patch and message. */
  readonly lines: readonly PatchLine[];
}

/** A commit counts as new if the difference exceeds this percentage of its patch (git's default). */
const CREATION_FACTOR = 60;
const CONTEXT = 3;
const NEVER = 1 << 20;
/** Maximum lines shown of one difference. */
const MAX_LINES = 2_000;

/**
 * Matches the commits of one version to those of another, as `git range-diff` does: first equal patches, then the pairs
 * with the smallest total difference. In the order of the new version, with removed commits where they were.
 */
export function rangeDiff(old: readonly RangeDiffCommit[], now: readonly RangeDiffCommit[]): RangeDiffPair[] {
  const matches = correspondences(old, now);
  const newOf = new Map([...matches].map(([newAt, oldAt]) => [oldAt, newAt]));
  const pairs: RangeDiffPair[] = [];
  const shown = new Set<number>();
  let oldAt = 0;
  let newAt = 0;
  while (oldAt < old.length || newAt < now.length) {
    while (shown.has(oldAt)) oldAt++;
    const gone = old[oldAt];
    if (gone && !newOf.has(oldAt)) {
      pairs.push({ kind: "removed", old: named(gone), new: undefined, lines: [] });
      oldAt++;
      continue;
    }
    for (let come = now[newAt]; come && !matches.has(newAt); come = now[++newAt])
      pairs.push({ kind: "added", old: undefined, new: named(come), lines: [] });
    const [at, present] = [matches.get(newAt), now[newAt]];
    const before = at === undefined ? undefined : old[at];
    if (at === undefined || !before || !present) continue;
    pairs.push(pairOf(before, present));
    shown.add(at);
    newAt++;
  }
  return pairs;
}

const named = ({ oid, subject }: RangeDiffCommit) => ({ oid, subject });

function pairOf(before: RangeDiffCommit, present: RangeDiffCommit): RangeDiffPair {
  const lines = differences([...before.head, ...before.patch], [...present.head, ...present.patch]);
  return { kind: lines.length === 0 ? "same" : "changed", old: named(before), new: named(present), lines };
}

/** Maps the position of each new commit to that of the old one. */
function correspondences(old: readonly RangeDiffCommit[], now: readonly RangeDiffCommit[]): Map<number, number> {
  const found = new Map<number, number>();
  const texts = new Map<string, number[]>();
  for (const [at, { patch }] of old.entries()) {
    const text = patch.join("\n");
    texts.set(text, [...(texts.get(text) ?? []), at]);
  }
  for (const [at, { patch }] of now.entries()) {
    const same = texts.get(patch.join("\n"))?.shift();
    if (same !== undefined) found.set(at, same);
  }
  const taken = new Set(found.values());
  const restOld = [...old.keys()].filter((at) => !taken.has(at));
  const restNew = [...now.keys()].filter((at) => !found.has(at));
  const size = restOld.length + restNew.length;
  const cost = new Float64Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const [left, right] = [old[restOld[row] ?? -1], now[restNew[column] ?? -1]];
      const creation = left && !right ? left : right && !left ? right : undefined;
      cost[row * size + column] =
        left && right
          ? sizeOfDifference(left.patch, right.patch)
          : creation
            ? Math.trunc((creation.patch.length * CREATION_FACTOR) / 100)
            : 0;
    }
  const columns = assign(size, cost);
  for (const [row, oldAt] of restOld.entries()) {
    const newAt = restNew[columns[row] ?? NEVER];
    if (newAt !== undefined) found.set(newAt, oldAt);
  }
  return found;
}

function blocksBetween(a: readonly string[], b: readonly string[]) {
  const numbers = new StringNumbers();
  const [left, right] = [numbers.of(a), numbers.of(b)];
  return blocksOf(editsBetween(left, right, numbers.size));
}

/** The number of lines in a diff of the two, including hunk headers. */
function sizeOfDifference(a: readonly string[], b: readonly string[]): number {
  return differences(a, b).length;
}

/** The difference with context; each omitted part becomes a gap. */
function differences(a: readonly string[], b: readonly string[]): PatchLine[] {
  const lines: PatchLine[] = [];
  let until = 0;
  const blocks = blocksBetween(a, b);
  for (const [at, block] of blocks.entries()) {
    const from = Math.max(until, block.newStart - CONTEXT);
    if (at === 0 || from > until) lines.push({ kind: "gap", text: "" });
    for (let line = from; line < block.newStart; line++) lines.push({ kind: "same", text: b[line] ?? "" });
    for (let line = block.oldStart; line < block.oldEnd; line++) lines.push({ kind: "removed", text: a[line] ?? "" });
    for (let line = block.newStart; line < block.newEnd; line++) lines.push({ kind: "added", text: b[line] ?? "" });
    const next = blocks[at + 1]?.newStart ?? b.length;
    until = Math.min(b.length, next, block.newEnd + CONTEXT);
    for (let line = block.newEnd; line < until; line++) lines.push({ kind: "same", text: b[line] ?? "" });
  }
  return lines;
}

/** Truncates a long difference. */
export function shortened(pair: RangeDiffPair): RangeDiffPair {
  return pair.lines.length <= MAX_LINES ? pair : { ...pair, lines: pair.lines.slice(0, MAX_LINES) };
}
