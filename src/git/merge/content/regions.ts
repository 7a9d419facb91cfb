import { diffNumbers } from "../../diff/blocks.ts";
import { type Block, blocksOf } from "../../diff/lines/edits.ts";

/** The outcome for a region of a merged text. "same" is an apparent conflict whose sides turned out to be equal. */
export type RegionKind = "conflict" | "ours" | "theirs" | "same";

/** A region in which at least one side differs from the base, with its lines in each text. */
export interface Region {
  kind: RegionKind;
  baseStart: number;
  baseCount: number;
  oursStart: number;
  oursCount: number;
  theirsStart: number;
  theirsCount: number;
}

/** Texts as numbers, one per line; equal numbers mean equal lines in all three, and all are below `alphabet`. */
export interface NumberedTexts {
  readonly base: Int32Array;
  readonly ours: Int32Array;
  readonly theirs: Int32Array;
  readonly alphabet: number;
}

/** Conflicts with at most this many common lines between them are shown as one. */
const MAX_LINES_BETWEEN = 3;

/**
 * The regions of a three-way merge, in order. Blocks of the two diffs that overlap or touch are conflicts unless
 * they are the same change; a conflict is then reduced to what differs between the sides. The rules are git's at
 * level "zealous", or "eager" when the base is shown too and must not be cut.
 */
export function mergeRegions(
  texts: NumberedTexts,
  ours: readonly Block[],
  theirs: readonly Block[],
  style: "merge" | "diff3" | "zdiff3",
): Region[] {
  const regions = combine(texts, ours, theirs);
  if (style === "diff3") return regions;
  if (style === "zdiff3") {
    for (const region of regions) if (region.kind === "conflict") trim(texts, region);
    return regions;
  }
  return joinNeighbours(new Refinement(texts).run(regions));
}

/** The diffs from base to ours and from base to theirs. */
export function sidesOf(texts: NumberedTexts): [Block[], Block[]] {
  const { base, alphabet } = texts;
  const blocks = (side: Int32Array) => blocksOf(diffNumbers(base, side, alphabet, { algorithm: "histogram" }));
  return [blocks(texts.ours), blocks(texts.theirs)];
}

function combine(texts: NumberedTexts, ours: readonly Block[], theirs: readonly Block[]): Region[] {
  const regions: Region[] = [];
  // Offset of a side's unchanged lines from the base's after its last block.
  const shift = (blocks: readonly Block[], next: number, side: Int32Array) => {
    const block = blocks[next];
    return block ? block.newStart - block.oldStart : side.length - texts.base.length;
  };
  let x = 0;
  let y = 0;
  while (x < ours.length || y < theirs.length) {
    const a = ours[x];
    const b = theirs[y];
    if (a && (!b || a.oldEnd < b.oldStart)) {
      const count = a.oldEnd - a.oldStart;
      const theirsStart = a.oldStart + shift(theirs, y, texts.theirs);
      append(regions, "ours", a.oldStart, count, a.newStart, a.newEnd - a.newStart, theirsStart, count);
      x++;
      continue;
    }
    if (b && (!a || b.oldEnd < a.oldStart)) {
      const count = b.oldEnd - b.oldStart;
      const oursStart = b.oldStart + shift(ours, x, texts.ours);
      append(regions, "theirs", b.oldStart, count, oursStart, count, b.newStart, b.newEnd - b.newStart);
      y++;
      continue;
    }
    if (!a || !b) break;
    if (!sameChange(texts, a, b)) {
      const start = Math.min(a.oldStart, b.oldStart);
      const end = Math.max(a.oldEnd, b.oldEnd);
      const oursStart = a.newStart - (a.oldStart - start);
      const theirsStart = b.newStart - (b.oldStart - start);
      const oursEnd = a.newEnd + (end - a.oldEnd);
      const theirsEnd = b.newEnd + (end - b.oldEnd);
      append(
        regions,
        "conflict",
        start,
        end - start,
        oursStart,
        oursEnd - oursStart,
        theirsStart,
        theirsEnd - theirsStart,
      );
    }
    if (a.oldEnd >= b.oldEnd) y++;
    if (b.oldEnd >= a.oldEnd) x++;
  }
  return regions;
}

function sameChange({ ours, theirs }: NumberedTexts, a: Block, b: Block): boolean {
  const count = a.newEnd - a.newStart;
  if (a.oldStart !== b.oldStart || a.oldEnd !== b.oldEnd || count !== b.newEnd - b.newStart) return false;
  for (let i = 0; i < count; i++) if (ours[a.newStart + i] !== theirs[b.newStart + i]) return false;
  return true;
}

function append(
  regions: Region[],
  kind: RegionKind,
  baseStart: number,
  baseCount: number,
  oursStart: number,
  oursCount: number,
  theirsStart: number,
  theirsCount: number,
): void {
  const last = regions.at(-1);
  const touches =
    last && (oursStart <= last.oursStart + last.oursCount || theirsStart <= last.theirsStart + last.theirsCount);
  if (!touches) {
    regions.push({ kind, baseStart, baseCount, oursStart, oursCount, theirsStart, theirsCount });
    return;
  }
  if (last.kind !== kind) last.kind = "conflict";
  last.baseCount = baseStart + baseCount - last.baseStart;
  last.oursCount = oursStart + oursCount - last.oursStart;
  last.theirsCount = theirsStart + theirsCount - last.theirsStart;
}

/** Removes common lines at both ends of a conflict; the base stays whole. */
function trim({ ours, theirs }: NumberedTexts, region: Region): void {
  while (region.oursCount > 0 && region.theirsCount > 0 && ours[region.oursStart] === theirs[region.theirsStart]) {
    region.oursStart++;
    region.theirsStart++;
    region.oursCount--;
    region.theirsCount--;
  }
  while (
    region.oursCount > 0 &&
    region.theirsCount > 0 &&
    ours[region.oursStart + region.oursCount - 1] === theirs[region.theirsStart + region.theirsCount - 1]
  ) {
    region.oursCount--;
    region.theirsCount--;
  }
}

/** Splits conflicts where the sides agree. */
class Refinement {
  /** Renumbers the lines of one conflict, so that the work does not grow with the whole text. */
  private readonly renamed: Int32Array;

  constructor(private readonly texts: NumberedTexts) {
    this.renamed = new Int32Array(texts.alphabet).fill(-1);
  }

  run(regions: readonly Region[]): Region[] {
    const refined: Region[] = [];
    for (const region of regions) {
      if (region.kind !== "conflict" || region.oursCount === 0 || region.theirsCount === 0) {
        refined.push(region);
        continue;
      }
      const blocks = this.difference(region);
      if (blocks.length === 0) refined.push({ ...region, kind: "same" });
      for (const block of blocks) {
        refined.push({
          ...region,
          oursStart: region.oursStart + block.oldStart,
          oursCount: block.oldEnd - block.oldStart,
          theirsStart: region.theirsStart + block.newStart,
          theirsCount: block.newEnd - block.newStart,
        });
      }
    }
    return refined;
  }

  private difference(region: Region): Block[] {
    const { ours, theirs } = this.texts;
    const a = ours.slice(region.oursStart, region.oursStart + region.oursCount);
    const b = theirs.slice(region.theirsStart, region.theirsStart + region.theirsCount);
    const originals: number[] = [];
    for (const items of [a, b]) {
      for (let i = 0; i < items.length; i++) {
        const original = items[i]!;
        if (this.renamed[original]! < 0) this.renamed[original] = originals.push(original) - 1;
        items[i] = this.renamed[original]!;
      }
    }
    for (const original of originals) this.renamed[original] = -1;
    return blocksOf(diffNumbers(a, b, originals.length, { algorithm: "histogram" }));
  }
}

/** Joins conflicts with few lines between them: one conflict is easier to read than a row of snippets. */
function joinNeighbours(regions: readonly Region[]): Region[] {
  const joined: Region[] = [];
  for (const region of regions) {
    const last = joined.at(-1);
    if (
      last?.kind === "conflict" &&
      region.kind === "conflict" &&
      region.oursStart - (last.oursStart + last.oursCount) <= MAX_LINES_BETWEEN
    ) {
      last.oursCount = region.oursStart + region.oursCount - last.oursStart;
      last.theirsCount = region.theirsStart + region.theirsCount - last.theirsStart;
    } else joined.push({ ...region });
  }
  return joined;
}
