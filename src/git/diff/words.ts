import { blocksOf } from "./lines/edits.ts";

import { editsBetween } from "./lines/myers.ts";
import { StringNumbers } from "./lines/strings.ts";

/** Start and end (exclusive) of a changed piece of a line, in UTF-16 units. */
export type Mark = readonly [start: number, end: number];

/** Longer lines are not looked into. */
const MAX_LINE_LENGTH = 2000;
/** A pair of lines that shares less than this part of its characters is not the same line changed. */
const MIN_SHARED = 0.35;

/**
 * What changed within a line: words, runs of spaces and single signs are compared.
 * @returns undefined when the lines are too long or have too little in common to be the same line
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

/** Marks with nothing but spaces between them become one. */
function addMark(marks: Mark[], start: number, end: number, text: string): void {
  if (start === end) return;
  const last = marks.at(-1);
  if (last && text.slice(last[1], start).trim() === "") marks[marks.length - 1] = [last[0], end];
  else marks.push([start, end]);
}

/** Characters outside the marks, leaving spaces out. */
function sharedPart(text: string, marks: readonly Mark[]): number {
  let shared = 0;
  let at = 0;
  for (const [start, end] of [...marks, [text.length, text.length] as const]) {
    shared += text.slice(at, start).replace(/\s+/g, "").length;
    at = end;
  }
  return shared;
}
