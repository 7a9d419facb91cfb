import { decodeName } from "../../objects/names.ts";
import { quotePath } from "../../objects/quote.ts";
import { columnsOf } from "../../pretty/width.ts";
import type { FileChange } from "../change.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { modeText, pathOrRename } from "./names.ts";
import type { StatWidths } from "./options.ts";
import { type NameStyle, nameText } from "./raw.ts";

/** A file's numbers for a diffstat. */
export interface FileStat {
  readonly change: FileChange;
  /** Lines; 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Bytes; 0 for a binary file with unchanged content. */
  readonly oldBytes: number;
  readonly newBytes: number;
}

/** `--numstat`: lines added, lines deleted, name. */
export function printNumstat(files: readonly FileStat[], names: NameStyle, out: ByteWriter): void {
  const { nul, ascii } = names;
  for (const { change, additions, deletions, binary } of files) {
    const counts = binary ? "-\t-\t" : `${additions}\t${deletions}\t`;
    const { oldPath, newPath } = change;
    if (!nul) out.text(`${counts}${pathOrRename(change, ascii)}\n`);
    else if (oldPath === newPath) out.text(`${counts}${nameText(newPath, names)}\0`);
    else out.text(`${counts}\0${nameText(oldPath, names)}\0${nameText(newPath, names)}\0`);
  }
}

/** `--stat`: a bar for each file, and the totals. */
export function printStat(files: readonly FileStat[], widths: StatWidths, ascii: boolean, out: ByteWriter): void {
  if (files.length === 0) return;
  const shown = files.slice(0, widths.count || files.length);
  const bars = new Bars(shown, widths, ascii);
  for (const file of shown) out.text(bars.line(file));
  if (shown.length < files.length) out.text(" ...\n");
  printShortstat(files, out);
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)` */
export function printShortstat(files: readonly FileStat[], out: ByteWriter): void {
  if (files.length === 0) return;
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    if (file.binary) continue;
    additions += file.additions;
    deletions += file.deletions;
  }
  let text = ` ${files.length} file${files.length === 1 ? "" : "s"} changed`;
  if (additions > 0 || deletions === 0) text += `, ${additions} insertion${additions === 1 ? "" : "s"}(+)`;
  if (deletions > 0 || additions === 0) text += `, ${deletions} deletion${deletions === 1 ? "" : "s"}(-)`;
  out.text(`${text}\n`);
}

/** `--summary`: created, deleted, renamed and copied files, and mode changes. Empty if only the content changed. */
export function summaryOf(change: FileChange, ascii: boolean): string {
  const { status, oldMode, newMode, oldPath, newPath } = change;
  if (status === "deleted") return ` delete mode ${modeText(oldMode)} ${quotePath("", oldPath, ascii)}\n`;
  if (status === "added") return ` create mode ${modeText(newMode)} ${quotePath("", newPath, ascii)}\n`;
  const moved = status === "renamed" || status === "copied";
  let text = "";
  if (moved) {
    text = ` ${status === "renamed" ? "rename" : "copy"} ${pathOrRename(change, ascii)} (${change.similarity ?? 100}%)\n`;
  }
  if (oldMode !== newMode) {
    text += ` mode change ${modeText(oldMode)} => ${modeText(newMode)}${moved ? "" : ` ${quotePath("", newPath, ascii)}`}\n`;
  }
  return text;
}

/** Room for ` | ` and the spaces around it, besides name, number and bar. */
const FRAME = 6;
const DEFAULT_WIDTH = 80;

/** The widths of names, numbers and bars. */
class Bars {
  private readonly names: ReadonlyMap<FileStat, string>;
  private readonly maxChanges: number;
  private readonly numberWidth: number;
  private readonly nameWidth: number;
  private readonly barWidth: number;

  constructor(files: readonly FileStat[], widths: StatWidths, ascii: boolean) {
    this.names = new Map(files.map((file) => [file, pathOrRename(file.change, ascii)]));
    let max = 0;
    let longest = 0;
    let binaryWidth = 0;
    for (const file of files) {
      longest = Math.max(longest, columns(this.names.get(file)!));
      if (file.binary) {
        // "Bin XXX -> YYY bytes"
        binaryWidth = Math.max(binaryWidth, 14 + digits(file.newBytes) + digits(file.oldBytes));
      } else max = Math.max(max, file.additions + file.deletions);
    }
    this.maxChanges = max;
    this.numberWidth = Math.max(digits(max), binaryWidth > 0 ? 3 : 0);
    const width = Math.max(widths.width || DEFAULT_WIDTH, 16 + 6 + this.numberWidth);
    let barWidth = max + 4 > binaryWidth ? max : binaryWidth - 4;
    if (widths.graphWidth && widths.graphWidth < barWidth) barWidth = widths.graphWidth;
    let nameWidth = widths.nameWidth && widths.nameWidth < longest ? widths.nameWidth : longest;
    const frame = this.numberWidth + FRAME;
    if (nameWidth + frame + barWidth > width) {
      barWidth = Math.min(barWidth, Math.max(6, Math.floor((width * 3) / 8) - frame));
      if (nameWidth > width - frame - barWidth) nameWidth = width - frame - barWidth;
      else barWidth = width - frame - nameWidth;
    }
    this.nameWidth = nameWidth;
    this.barWidth = barWidth;
  }

  line(file: FileStat): string {
    const { additions, deletions, binary, oldBytes, newBytes } = file;
    const start = ` ${this.padded(this.names.get(file)!)} | `;
    if (binary) {
      const sizes = oldBytes === 0 && newBytes === 0 ? "" : ` ${oldBytes} -> ${newBytes} bytes`;
      return `${start}${"Bin".padStart(this.numberWidth)}${sizes}\n`;
    }
    const total = additions + deletions;
    const number = String(total).padStart(this.numberWidth);
    return total === 0 ? `${start}${number}\n` : `${start}${number} ${this.bar(additions, deletions)}\n`;
  }

  private padded(name: string): string {
    const width = columns(name);
    if (width <= this.nameWidth) return name + " ".repeat(this.nameWidth - width);
    // git treats the number of excess columns as a number of bytes.
    const tail = name.slice(width - this.nameWidth + 3);
    const slash = tail.indexOf("/");
    const shown = `...${slash >= 0 ? tail.slice(slash) : tail}`;
    return shown + " ".repeat(Math.max(0, this.nameWidth - columns(shown)));
  }

  private bar(additions: number, deletions: number): string {
    let plus = additions;
    let minus = deletions;
    if (this.barWidth <= this.maxChanges) {
      const total = Math.max(this.scaled(additions + deletions), additions > 0 && deletions > 0 ? 2 : 0);
      if (additions < deletions) {
        plus = this.scaled(additions);
        minus = total - plus;
      } else {
        minus = this.scaled(deletions);
        plus = total - minus;
      }
    }
    return "+".repeat(plus) + "-".repeat(minus);
  }

  /** Any change gets at least one character, so that it never looks like none. */
  private scaled(count: number): number {
    return count === 0 ? 0 : 1 + Math.floor((count * (this.barWidth - 1)) / this.maxChanges);
  }
}

/** Display width of a latin1 string with one character per byte. */
function columns(name: string): number {
  return /^[\x20-\x7e]*$/.test(name) ? name.length : columnsOf(decodeName(Buffer.from(name, "latin1")));
}

function digits(value: number): number {
  return String(value).length;
}
