import { diffNumbers } from "../diff/blocks.ts";
import { type Block, blocksOf } from "../diff/lines/edits.ts";
import { Text } from "../diff/lines/text.ts";
import type { Version } from "./versions.ts";

/** Without context, git trims the common end of two files before comparing them, in blocks of this size. */
const TAIL_BYTES = 1024;

/**
 * The changes from one version to another, as `git blame` compares them: like `git diff` without context, which trims
 * most of the common end first. Which lines are frequent, and how far a change can slide, depends on that.
 * @param alphabet upper limit (exclusive) of the line numbers
 */
export function compareVersions(old: Version, current: Version, alphabet: number, minimal = false): Block[] {
  const cut = commonTail(old, current);
  const oldCount = old.text.count - cut;
  const newCount = current.text.count - cut;
  const a = old.keys.subarray(0, oldCount);
  const b = current.keys.subarray(0, newCount);
  const indents = { oldIndents: shortened(old.text, oldCount), newIndents: shortened(current.text, newCount) };
  const edits = diffNumbers(a, b, alphabet, { minimal }, indents);
  return blocksOf(edits);
}

/** Lines `from` to `to` of a version, as a separate version. */
export function linesOf({ text, exact, keys }: Version, from: number, to: number): Version {
  const starts = text.starts.subarray(from, to + 1);
  return {
    text: Text.ofLines(text.data, starts, to - from),
    exact: exact.subarray(from, to),
    keys: keys.subarray(from, to),
  };
}

function shortened(text: Text, count: number): Text {
  return count === text.count ? text : Text.ofLines(text.data, text.starts, count);
}

/** How many lines to trim at the end: those after the first newline of the common blocks. */
function commonTail(old: Version, current: Version): number {
  const a = old.text;
  const b = current.text;
  const shorter = Math.min(a.count, b.count);
  let lines = 0;
  while (lines < shorter && old.exact[a.count - 1 - lines] === current.exact[b.count - 1 - lines]) lines++;
  const aEnd = a.starts[a.count]!;
  let aAt = a.starts[a.count - lines]!;
  let bAt = b.starts[b.count - lines]!;
  while (aAt > a.starts[0]! && bAt > b.starts[0]! && a.data[aAt - 1] === b.data[bAt - 1]) {
    aAt--;
    bAt--;
  }
  const left = Math.floor((aEnd - aAt) / TAIL_BYTES) * TAIL_BYTES;
  if (left === 0) return 0;
  const newline = a.data.indexOf(0x0a, aEnd - left);
  if (newline < 0 || newline >= aEnd) return 0;
  let kept = lines;
  while (kept > 0 && a.starts[a.count - kept]! <= newline) kept--;
  return kept;
}
