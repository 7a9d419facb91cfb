import type { Edits } from "./myers.ts";

/**
 * An edit script is seldom the only one of its length: a changed group between equal lines may slide up or down. This
 * moves every group to where a reader expects it: beside a change of the other side if it can meet one, else where the
 * cuts fall before little-indented lines and after blank ones.
 */
export function slideEdits(
  a: Int32Array,
  b: Int32Array,
  edits: Edits,
  aLines: readonly string[],
  bLines: readonly string[],
): void {
  slideSide(a, edits.removed, edits.added, aLines);
  slideSide(b, edits.added, edits.removed, bLines);
}

/** Sliding farther than this for the sake of looks is not worth the search. */
const MAX_SLIDE = 100;

function slideSide(items: Int32Array, changed: Uint8Array, other: Uint8Array, lines: readonly string[]): void {
  // `partner` walks the other side: it stands at the line that matches the unchanged line at `at`, after its changes.
  let partner = 0;
  let at = 0;
  const skipPartner = () => {
    while (other[partner]) partner++;
  };
  const size = items.length;
  while (at < size) {
    if (!changed[at]) {
      skipPartner();
      partner++;
      at++;
      continue;
    }
    let start = at;
    let end = at;
    let merged: boolean;
    // Up as far as it goes, swallowing groups it meets, then down likewise, until it meets no more.
    let partnerEnd = partner;
    while (other[partnerEnd]) partnerEnd++;
    let highest: number;
    let meeting: number;
    do {
      while (end < size && changed[end]) end++;
      const length = end - start;
      while (start > 0 && items[start - 1] === items[end - 1]) {
        changed[--start] = 1;
        changed[--end] = 0;
        partnerEnd = partnerBefore(other, partnerEnd);
        while (start > 0 && changed[start - 1]) start--;
      }
      highest = end;
      meeting = other[partnerEnd - 1] ? end : -1;
      while (end < size && items[start] === items[end]) {
        changed[start++] = 0;
        changed[end++] = 1;
        while (end < size && changed[end]) end++;
        partnerEnd++;
        while (other[partnerEnd]) partnerEnd++;
        if (other[partnerEnd - 1]) meeting = end;
      }
      merged = end - start !== length;
    } while (merged);
    const target = meeting >= 0 ? meeting : bestEnd(lines, start, end, highest);
    while (end > target) {
      changed[--start] = 1;
      changed[--end] = 0;
      partnerEnd = partnerBefore(other, partnerEnd);
    }
    at = end;
    partner = partnerEnd;
  }
}

/** The partner's place one unchanged line earlier, after the changes that precede that line. */
function partnerBefore(other: Uint8Array, partner: number): number {
  let place = partner;
  while (place > 0 && other[place - 1]) place--;
  return place - 1;
}

/** Of the ends a group may have, from its lowest place up to `highest`, the one whose two cuts read best. */
function bestEnd(lines: readonly string[], start: number, end: number, highest: number): number {
  const length = end - start;
  let best = end;
  let least = Number.POSITIVE_INFINITY;
  for (let candidate = end; candidate >= Math.max(highest, end - MAX_SLIDE, length); candidate--) {
    const cost = cutCost(lines, candidate - length) + cutCost(lines, candidate);
    if (cost < least) {
      least = cost;
      best = candidate;
    }
  }
  return best;
}

/** How bad it looks to cut before line `at`: deep indentation is bad, a blank line before the cut is good. */
function cutCost(lines: readonly string[], at: number): number {
  if (at >= lines.length) return 0;
  if (at === 0) return 0;
  let next = at;
  while (next < lines.length && next < at + 20 && indentOf(lines[next]!) < 0) next++;
  const indent = next < lines.length ? indentOf(lines[next]!) : 0;
  const before = indentOf(lines[at - 1]!);
  const blankBefore = before < 0;
  const blankHere = next > at;
  let cost = Math.max(indent, 0) * 4;
  if (!blankBefore) {
    cost += blankHere ? 3 : 6;
    // A cut where a block closes belongs after the closing line, not before it.
    if (indent < before) cost += 9;
    if (indent > before) cost += 6;
  }
  return cost;
}

/** Columns of leading whitespace, -1 for a blank line. */
function indentOf(line: string): number {
  let columns = 0;
  for (let i = 0; i < line.length && i < 200; i++) {
    const code = line.charCodeAt(i);
    if (code === 0x20) columns++;
    else if (code === 0x09) columns += 8 - (columns % 8);
    else return code === 0x0a || code === 0x0d ? -1 : columns;
  }
  return -1;
}
