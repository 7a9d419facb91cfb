import { quotePath } from "../../objects/quote.ts";
import type { ChangeStatus, FileChange } from "../change.ts";

/** The letter of a status in raw output and in `--diff-filter`. */
export const STATUS_LETTERS: Readonly<Record<ChangeStatus, string>> = {
  added: "A",
  copied: "C",
  deleted: "D",
  modified: "M",
  renamed: "R",
  typechanged: "T",
};

export function modeText(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}

/** A path, or a rename in short form: `lib/{old => new}/file`. A latin1 string. */
export function pathOrRename({ oldPath, newPath }: FileChange, ascii = true): string {
  if (oldPath === newPath) return quotePath("", newPath, ascii);
  const from = quotePath("", oldPath, ascii);
  const to = quotePath("", newPath, ascii);
  if (from.startsWith('"') || to.startsWith('"')) return `${from} => ${to}`;
  let start = 0;
  for (let i = 0; i < from.length && i < to.length && from[i] === to[i]; i++) if (from[i] === "/") start = i + 1;
  // The common end may begin with the slash that the common start ends with.
  const min = start > 0 ? start - 1 : 0;
  let end = 0;
  for (let i = 1; from.length - i >= min && to.length - i >= min; i++) {
    const character = from[from.length - i];
    if (character === undefined || character !== to[to.length - i]) break;
    if (character === "/") end = i;
  }
  const middle = (text: string) => text.slice(start, Math.max(start, text.length - end));
  if (start === 0 && end === 0) return `${from} => ${to}`;
  return `${from.slice(0, start)}{${middle(from)} => ${middle(to)}}${from.slice(from.length - end)}`;
}
