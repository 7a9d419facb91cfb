import { colourLength, columnsOf, replaceColumns } from "./width.ts";

/** `%<(N)` and the like: how to pad the next placeholder. */
export interface Padding {
  readonly side: "left" | "right" | "both" | "steal";
  readonly columns: number;
  /** Whether the number is a column of the line rather than a width. */
  readonly toColumn: boolean;
  readonly cut: "none" | "trunc" | "ltrunc" | "mtrunc";
}

/** git rejects larger numbers, which could be used to exhaust its memory. */
export const MAX_COLUMNS = 16 * 1024;
/** The width git assumes without a terminal. */
const TERMINAL_COLUMNS = 80;

const FORM = /(<|>>|><|>)(\|?)\([ \t]*([+-]?\d+)[^,)]*(?:,(trunc|ltrunc|mtrunc))?\)/y;

/** Reads `<(20,trunc)` at an offset (after the `%`); undefined when there is no padding there. */
export function readPadding(text: string, at: number): { padding: Padding; length: number } | undefined {
  FORM.lastIndex = at;
  const match = FORM.exec(text);
  if (!match) return undefined;
  const toColumn = match[2] === "|";
  let columns = Number(match[3]);
  if (Math.abs(columns) > MAX_COLUMNS || columns === 0) return undefined;
  if (columns < 0 && toColumn) columns += TERMINAL_COLUMNS;
  if (columns < 0) return undefined;
  const sides = { "<": "right", ">": "left", ">>": "steal", "><": "both" } as const;
  const side = sides[match[1] as keyof typeof sides];
  const cut = (match[4] ?? "none") as Padding["cut"];
  return { padding: { side, columns, toColumn, cut }, length: match[0].length };
}

/** Appends `text` to `before`, padded or truncated. @param taken columns to the left of `before` */
export function pad(before: string, text: string, padding: Padding, taken: number): string {
  let left = before;
  let added = text;
  let room = padding.columns;
  if (padding.toColumn) room -= columnsOf(left.slice(left.lastIndexOf("\n") + 1)) + taken;
  const length = columnsOf(added);
  if (padding.side === "steal") {
    // As in git, the very first character is not examined.
    while (length > room && left.length > 1) {
      if (left.endsWith(" ")) {
        left = left.slice(0, -1);
        room++;
        continue;
      }
      const colour = left.lastIndexOf("\x1b");
      if (!left.endsWith("m") || colour < 1 || colourLength(left, colour) !== left.length - colour) break;
      added = left.slice(colour) + added;
      left = left.slice(0, colour);
    }
  }
  if (length > room) {
    const over = length - (room - 2);
    if (padding.cut === "ltrunc") added = replaceColumns(added, 0, over, "..");
    else if (padding.cut === "mtrunc") added = replaceColumns(added, Math.trunc(room / 2) - 1, over, "..");
    else if (padding.cut === "trunc") added = replaceColumns(added, room - 2, over, "..");
    return left + added;
  }
  const blanks = room - length;
  const first = padding.side === "right" ? 0 : padding.side === "both" ? Math.floor(blanks / 2) : blanks;
  return left + " ".repeat(first) + added + " ".repeat(blanks - first);
}
