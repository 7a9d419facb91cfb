import type { FileChange } from "./change.ts";
import { quotePath } from "./quote.ts";

/** What one file contributes to a diffstat. */
export interface FileStat {
  readonly change: FileChange;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  readonly oldBytes: number;
  readonly newBytes: number;
}

/** Columns of a diffstat in an e-mail. */
const WIDTH = 72;

/** `git diff --stat --summary` as format-patch prints it: a bar for each file, the totals, what was created or renamed. A latin1 string. */
export function statText(files: readonly FileStat[]): string {
  if (files.length === 0) return "";
  const names = files.map(({ change }) => statName(change));
  const most = Math.max(...files.map((file) => (file.binary ? 0 : file.additions + file.deletions)));
  const numberWidth = Math.max(String(most).length, files.some((file) => file.binary) ? 3 : 0);
  let nameWidth = Math.max(...names.map((name) => name.length));
  let barWidth = most;
  if (nameWidth + numberWidth + 6 + barWidth > WIDTH) {
    barWidth = Math.min(barWidth, Math.max(6, Math.floor((WIDTH * 3) / 8) - numberWidth - 6));
    const room = WIDTH - numberWidth - 6;
    if (nameWidth > room - barWidth) nameWidth = room - barWidth;
    else barWidth = room - nameWidth;
  }
  const lines = files.map((file, i) => {
    const start = ` ${shorten(names[i]!, nameWidth).padEnd(nameWidth)} | `;
    if (file.binary) return `${start}${"Bin".padStart(numberWidth)}${binarySizes(file)}\n`;
    const total = String(file.additions + file.deletions).padStart(numberWidth);
    return `${`${start}${total} ${bar(file, barWidth, most)}`.trimEnd()}\n`;
  });
  return lines.join("") + totals(files) + files.map(({ change }) => summary(change)).join("");
}

function binarySizes({ change, oldBytes, newBytes }: FileStat): string {
  return change.oldOid === change.newOid ? "" : ` ${oldBytes} -> ${newBytes} bytes`;
}

function bar({ additions, deletions }: FileStat, width: number, most: number): string {
  let plus = additions;
  let minus = deletions;
  if (width < most) {
    const scale = (count: number) => (count === 0 ? 0 : 1 + Math.floor((count * (width - 1)) / most));
    const total = Math.max(scale(additions + deletions), additions > 0 && deletions > 0 ? 2 : 0);
    if (additions < deletions) {
      plus = scale(additions);
      minus = total - plus;
    } else {
      minus = scale(deletions);
      plus = total - minus;
    }
  }
  return "+".repeat(plus) + "-".repeat(minus);
}

function totals(files: readonly FileStat[]): string {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  let text = ` ${files.length} file${files.length === 1 ? "" : "s"} changed`;
  if (additions > 0 || deletions === 0) text += `, ${additions} insertion${additions === 1 ? "" : "s"}(+)`;
  if (deletions > 0 || additions === 0) text += `, ${deletions} deletion${deletions === 1 ? "" : "s"}(-)`;
  return `${text}\n`;
}

/** A path, or what a rename did to it: `lib/{old => new}/file`. */
function statName({ oldPath, newPath }: FileChange): string {
  if (oldPath === newPath) return quotePath("", newPath);
  const from = quotePath("", oldPath);
  const to = quotePath("", newPath);
  if (from.startsWith('"') || to.startsWith('"')) return `${from} => ${to}`;
  let start = 0;
  for (let i = 0; i < Math.min(from.length, to.length) && from[i] === to[i]; i++) if (from[i] === "/") start = i + 1;
  let end = 0;
  // The common end may begin with the slash the common start ends with.
  const least = start > 0 ? start - 1 : 0;
  for (let i = 1; from.length - i >= least && to.length - i >= least; i++) {
    const character = from[from.length - i];
    if (character === undefined || character !== to[to.length - i]) break;
    if (character === "/") end = i;
  }
  const middle = (text: string) => text.slice(start, Math.max(start, text.length - end));
  if (start === 0 && end === 0) return `${from} => ${to}`;
  return `${from.slice(0, start)}{${middle(from)} => ${middle(to)}}${from.slice(from.length - end)}`;
}

function shorten(name: string, width: number): string {
  if (name.length <= width) return name;
  const tail = name.slice(name.length - Math.max(width - 3, 0));
  const slash = tail.indexOf("/");
  return `...${slash >= 0 ? tail.slice(slash) : tail}`;
}

function summary(change: FileChange): string {
  const mode = (value: number) => value.toString(8).padStart(6, "0");
  const path = quotePath("", change.newPath);
  if (change.oldMode === 0) return ` create mode ${mode(change.newMode)} ${path}\n`;
  if (change.newMode === 0) return ` delete mode ${mode(change.oldMode)} ${quotePath("", change.oldPath)}\n`;
  let text = "";
  if (change.status === "renamed" || change.status === "copied") {
    text = ` ${change.status === "renamed" ? "rename" : "copy"} ${statName(change)} (${change.similarity ?? 100}%)\n`;
  }
  if (change.oldMode !== change.newMode) {
    text += ` mode change ${mode(change.oldMode)} => ${mode(change.newMode)}${text === "" ? ` ${path}` : ""}\n`;
  }
  return text;
}
