import { quotePath } from "../../objects/quote.ts";
import type { ObjectSource } from "../../objects/source.ts";
import { MODE_KIND } from "../../objects/tree-cursor.ts";
import type { Oid } from "../../objects/types.ts";
import { binaryPatch } from "../binary-patch.ts";
import type { FileChange } from "../change.ts";
import { Comparison } from "../comparison.ts";
import { formatRange, Headings, type HunkRange } from "../hunks.ts";
import type { Text } from "../lines/text.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { modeText } from "./names.ts";
import type { PatchOptions } from "./options.ts";

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;

/** What printing a patch needs besides its options. */
export interface PatchContext {
  readonly store: ObjectSource;
  /** Shortens ids in index lines. */
  abbreviate(oid: Oid): string;
  /** The comparison of a file, if it has been made already. */
  comparison?(change: FileChange): Comparison | undefined;
}

/**
 * Prints the output of `git diff` for one file; `git apply` accepts it.
 * @returns whether it shows a difference in contents, rather than just a header
 * @throws CorruptObject when a blob is missing
 */
export function printPatch(context: PatchContext, change: FileChange, options: PatchOptions, out: ByteWriter): boolean {
  // A patch cannot turn a file into a link or submodule: it deletes the one and creates the other.
  if (isTypeChange(change)) {
    const { oldMode, oldOid, oldPath, newMode, newOid, newPath } = change;
    const nothing = { mode: 0, oid: undefined };
    const gone = { oldMode, oldOid, oldPath, newMode: nothing.mode, newOid: nothing.oid, newPath: oldPath };
    const come = { newMode, newOid, newPath, oldMode: nothing.mode, oldOid: nothing.oid, oldPath: newPath };
    const shown = new FilePatch(context, { status: "deleted", ...gone }, options, out).print();
    return new FilePatch(context, { status: "added", ...come }, options, out).print() || shown;
  }
  return new FilePatch(context, change, options, out).print();
}

function isTypeChange({ oldMode, newMode }: FileChange): boolean {
  return oldMode !== 0 && newMode !== 0 && (oldMode & MODE_KIND) !== (newMode & MODE_KIND);
}

class FilePatch {
  private readonly compared: Comparison;
  private readonly oldName: string;
  private readonly newName: string;

  constructor(
    private readonly context: PatchContext,
    private readonly change: FileChange,
    private readonly options: PatchOptions,
    private readonly out: ByteWriter,
  ) {
    this.compared = context.comparison?.(change) ?? new Comparison(context.store, change, options);
    this.oldName = quotePath(options.oldPrefix ?? "a/", change.oldPath, options.asciiNames);
    this.newName = quotePath(options.newPrefix ?? "b/", change.newPath, options.asciiNames);
  }

  print(): boolean {
    const { change, compared, out } = this;
    const { oldMode, newMode } = change;
    if (compared.same && oldMode !== 0 && newMode !== 0) {
      out.text(this.header());
      return false;
    }
    if (!compared.shownAsText) {
      this.printBinary();
      return true;
    }
    const hunks = compared.hunks();
    const always = oldMode === 0 || newMode === 0 || oldMode !== newMode || isMove(change);
    // With white space options there may be nothing left to show.
    if (!always && hunks.length === 0) return false;
    out.text(this.header());
    if (hunks.length === 0) return false;
    out.text(`--- ${this.labelled(oldMode, this.oldName)}+++ ${this.labelled(newMode, this.newName)}`);
    const [before, after] = compared.lines();
    const headings = Headings.of(before, change, this.options);
    for (const hunk of hunks) printHunk(hunk, before, after, headings, out);
    return true;
  }

  private printBinary(): void {
    const { change, compared, options, out } = this;
    out.text(this.header());
    const { oldData, newData } = compared;
    if (options.binary && oldData !== "too-large" && newData !== "too-large") out.text(binaryPatch(oldData, newData));
    else
      out.text(
        `Binary files ${sideName(change.oldMode, this.oldName)} and ${sideName(change.newMode, this.newName)} differ\n`,
      );
  }

  private header(): string {
    const { change } = this;
    const { oldMode, newMode, oldPath, newPath } = change;
    let text = `diff --git ${this.oldName} ${this.newName}\n`;
    if (oldMode === 0) text += `new file mode ${modeText(newMode)}\n`;
    else if (newMode === 0) text += `deleted file mode ${modeText(oldMode)}\n`;
    else if (oldMode !== newMode) text += `old mode ${modeText(oldMode)}\nnew mode ${modeText(newMode)}\n`;
    if (isMove(change)) {
      const verb = change.status === "renamed" ? "rename" : "copy";
      text += `similarity index ${change.similarity ?? 100}%\n`;
      const [from, to] = [oldPath, newPath].map((path) => quotePath("", path, this.options.asciiNames));
      text += `${verb} from ${from}\n${verb} to ${to}\n`;
    }
    if (change.oldOid === change.newOid) return text;
    const mode = oldMode === newMode ? ` ${modeText(newMode)}` : "";
    return `${text}index ${this.digits(change.oldOid)}..${this.digits(change.newOid)}${mode}\n`;
  }

  private digits(oid: Oid | undefined): string {
    const whole = oid ?? this.context.store.format.zeroOid;
    if (this.options.fullIndex || (this.options.binary && this.compared.binary)) return whole;
    return this.context.abbreviate(whole);
  }

  private labelled(mode: number, name: string): string {
    const label = sideName(mode, name);
    // A tab ends a name that contains spaces, so that other patch programs do not truncate it.
    return label.includes(" ") ? `${label}\t\n` : `${label}\n`;
  }
}

function isMove({ status }: FileChange): boolean {
  return status === "renamed" || status === "copied";
}

function sideName(mode: number, name: string): string {
  return mode === 0 ? "/dev/null" : name;
}

function printHunk(hunk: HunkRange, before: Text, after: Text, headings: Headings, out: ByteWriter): void {
  const heading = headings.before(hunk.oldStart);
  const ranges = `-${formatRange(hunk.oldStart, hunk.oldEnd)} +${formatRange(hunk.newStart, hunk.newEnd)}`;
  out.text(heading.length > 0 ? `@@ ${ranges} @@ ` : `@@ ${ranges} @@`);
  out.bytes(heading);
  out.text("\n");
  let at = hunk.newStart;
  for (const block of hunk.blocks) {
    printLines(SPACE, after, at, block.newStart, out);
    printLines(MINUS, before, block.oldStart, block.oldEnd, out);
    printLines(PLUS, after, block.newStart, block.newEnd, out);
    at = block.newEnd;
  }
  printLines(SPACE, after, at, hunk.newEnd, out);
}

function printLines(sign: number, text: Text, start: number, end: number, out: ByteWriter): void {
  const { data, starts } = text;
  for (let i = start; i < end; i++) out.signed(sign, data, starts[i]!, starts[i + 1]!);
  if (end > start && end === text.count && text.endsOpen) out.text("\n\\ No newline at end of file\n");
}
