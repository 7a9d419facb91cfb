/**
 * Rates the places where a text can be split before a line, by indents and blank lines. The weights are git's, found by
 * experiment on a corpus of diffs corrected by hand.
 */

/** The indents of a text. */
export interface Indents {
  readonly count: number;
  /** Columns of white space before line `i`; -1 for a blank line. */
  indent(i: number): number;
}

const START_OF_FILE = 1;
const END_OF_FILE = 21;
const BLANK = -30;
const BLANK_AFTER = 6;
const DEEPER = -4;
const DEEPER_AFTER_BLANK = 10;
/** Shallower, with something deeper after it: the start of a block such as an `else`. */
const BETWEEN = 24;
const BETWEEN_AFTER_BLANK = 17;
/** Otherwise shallower: the end of a block. */
const SHALLOWER = 23;
const SHALLOWER_AFTER_BLANK = 17;

/** Further blank lines in a row are not counted. */
const MAX_BLANKS = 20;

/** The cost of a split before line `at`: its indent, which counts first, and a penalty. Lower is better. */
export function splitCost(text: Indents, at: number): readonly [indent: number, penalty: number] {
  const atEnd = at >= text.count;
  const own = atEnd ? -1 : text.indent(at);
  const before = indentBeyond(text, at, -1);
  const after = indentBeyond(text, at, 1);
  let penalty = 0;
  if (before.indent === -1 && before.blanks === 0) penalty += START_OF_FILE;
  if (atEnd) penalty += END_OF_FILE;
  const blanksAfter = own === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  penalty += BLANK * blanks + BLANK_AFTER * blanksAfter;
  const indent = own === -1 ? after.indent : own;
  if (indent === -1 || before.indent === -1 || indent === before.indent) return [indent, penalty];
  if (indent > before.indent) penalty += blanks > 0 ? DEEPER_AFTER_BLANK : DEEPER;
  else if (after.indent > indent) penalty += blanks > 0 ? BETWEEN_AFTER_BLANK : BETWEEN;
  else penalty += blanks > 0 ? SHALLOWER_AFTER_BLANK : SHALLOWER;
  return [indent, penalty];
}

/** The first non-blank line before or after line `at`, and the number of blank lines on the way. */
function indentBeyond(text: Indents, at: number, step: 1 | -1): { indent: number; blanks: number } {
  let blanks = 0;
  for (let i = at + step; i >= 0 && i < text.count; i += step) {
    const indent = text.indent(i);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}
