import { blocksOf } from "./lines/edits.ts";

import { editsBetween } from "./lines/myers.ts";
import { StringNumbers } from "./lines/strings.ts";

/** Start and end (exclusive) of a changed part of a line, in UTF-16 units. */
export type Mark = readonly [start: number, end: number];

/** Longer lines are not compared. */
const MAX_LINE_LENGTH = 2000;
/** Two lines that share a smaller fraction of their characters are not versions of the same line. */
const MIN_SHARED = 0.35;

/**
 * Finds the changes within a line by comparing words, runs of spaces and single punctuation characters.
 * @returns undefined if the lines are too long or too different to be versions of the same line
 */
export function markWords(oldText: string, newText: string): { old: Mark[]; new: Mark[] } | undefined {
  if (oldText.length > MAX_LINE_LENGTH || newText.length > MAX_LINE_LENGTH) return undefined;
  const oldWords = words(oldText);
  const newWords = words(newText);
  const numbers = new StringNumbers();
  const a = numbers.of(oldWords);
  const b = numbers.of(newWords);
  const blocks = blocksOf(editsBetween(a, b, numbers.size));
  const oldMarks: Mark[] = [];
  const newMarks: Mark[] = [];
  const oldStarts = starts(oldWords);
  const newStarts = starts(newWords);
  for (const block of blocks) {
    addMark(oldMarks, oldStarts[block.oldStart]!, oldStarts[block.oldEnd]!, oldText);
    addMark(newMarks, newStarts[block.newStart]!, newStarts[block.newEnd]!, newText);
  }
  const shared = sharedPart(oldText, oldMarks) + sharedPart(newText, newMarks);
  const whole = oldText.trim().length + newText.trim().length;
  if (whole > 0 && shared < whole * MIN_SHARED) return undefined;
  return { old: oldMarks, new: newMarks };
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];
}

function starts(parts: readonly string[]): number[] {
  const places = [0];
  for (const part of parts) places.push(places.at(-1)! + part.length);
  return places;
}

/** Merges marks with nothing but spaces between them. */
function addMark(marks: Mark[], start: number, end: number, text: string): void {
  if (start === end) return;
  const last = marks.at(-1);
  if (last && text.slice(last[1], start).trim() === "") marks[marks.length - 1] = [last[0], end];
  else marks.push([start, end]);
}

/** Number of characters outside the marks, not counting spaces. */
function sharedPart(text: string, marks: readonly Mark[]): number {
  let shared = 0;
  let at = 0;
  for (const [start, end] of [...marks, [text.length, text.length] as const]) {
    shared += text.slice(at, start).replace(/\s+/g, "").length;
    at = end;
  }
  return shared;
}
