import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { FileChange } from "./change.ts";
import { type ChangesOptions, changedFiles } from "./changes.ts";
import { hunksOf, isBinaryFile } from "./comparison.ts";
import { contentOf } from "./content.ts";
import { Headings, type HunkRange } from "./hunks.ts";
import { Text } from "./lines/text.ts";
import type { CompareOptions } from "./print/options.ts";
import { type Mark, markWords } from "./words.ts";

export interface DiffLine {
  readonly kind: "context" | "added" | "deleted";
  /** Without its newline; bytes that are not UTF-8 become U+FFFD. */
  readonly text: string;
  /** 1-based; undefined on the side that lacks the line. */
  readonly oldNo: number | undefined;
  readonly newNo: number | undefined;
  /** Set if the file ends with this line, without a newline. */
  readonly noNewline?: true;
  /** The changed words, if the line is a changed version of another. */
  marks?: readonly Mark[];
}

export interface FileHunk {
  /** As in the hunk header: 1-based, except that an empty range gives the line before it. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The function or section the hunk is in, by git's heuristics. */
  readonly heading: string;
  readonly lines: DiffLine[];
}

export interface FileDiff extends FileChange {
  readonly binary: boolean;
  /** Not shown because of a limit. Additions and deletions are 0 if the content itself was too large. */
  readonly tooLarge: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: FileHunk[];
  /** Sizes of the contents; undefined for a side that does not exist. */
  readonly oldBytes: number | undefined;
  readonly newBytes: number | undefined;
  /** Number of lines in the new content if it was compared, otherwise 0. */
  readonly newLineCount: number;
}

export interface DiffLimits {
  /** Maximum files shown; 300 by default. Further files are listed with their counts only. */
  readonly maxShownFiles?: number;
  /** Maximum lines shown per file; 5,000 by default. */
  readonly maxFileLines?: number;
  /** Maximum lines shown in total; 20,000 by default. */
  readonly maxLines?: number;
  /** Maximum size of a file to compare; 2 MiB by default. */
  readonly maxFileBytes?: number;
  /** Maximum content compared in total; 64 MiB by default. Further files are listed without counts. */
  readonly maxBytes?: number;
}

export interface DiffOptions extends Omit<CompareOptions, "maxFileBytes">, ChangesOptions, DiffLimits {
  /** Whether to mark changed words; true by default. */
  readonly words?: boolean;
}

export interface TreeDiff {
  readonly files: FileDiff[];
  readonly additions: number;
  readonly deletions: number;
  /** Whether more files differ than are listed. */
  readonly truncated: boolean;
}

/**
 * The diff of two trees with everything a page shows, within limits.
 * @param oldTree undefined for no old tree (a root commit)
 * @throws CorruptObject when a tree or blob is missing
 */
export function diffOfTrees(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: DiffOptions = {},
): TreeDiff {
  const { files, truncated } = changedFiles(store, oldTree, newTree, { maxFiles: 10_000, ...options });
  const budget = new Budget(options);
  const result: FileDiff[] = [];
  let additions = 0;
  let deletions = 0;
  for (const change of files) {
    const file = diffOfFile(store, change, options, budget);
    additions += file.additions;
    deletions += file.deletions;
    result.push(file);
  }
  return { files: result, additions, deletions, truncated };
}

/** What remains of a diff's limits. */
export class Budget {
  readonly maxFileBytes: number;
  readonly maxFileLines: number;
  bytes: number;
  lines: number;
  files: number;
  /** Characters that may still be searched for changed words. */
  words = 1_000_000;

  constructor(limits: DiffLimits) {
    this.maxFileBytes = limits.maxFileBytes ?? 2 * 1024 * 1024;
    this.maxFileLines = limits.maxFileLines ?? 5_000;
    this.bytes = limits.maxBytes ?? 64 * 1024 * 1024;
    this.lines = limits.maxLines ?? 20_000;
    this.files = limits.maxShownFiles ?? 300;
  }
}

/**
 * The diff of one changed file, for a page.
 * @throws CorruptObject when a blob is missing
 */
export function diffOfFile(
  store: ObjectSource,
  change: FileChange,
  options: DiffOptions = {},
  budget = new Budget(options),
): FileDiff {
  const size = (mode: number, oid: Oid | undefined) => (mode === 0 || !oid ? undefined : store.header(oid)?.sizeBytes);
  const base = {
    ...change,
    oldBytes: size(change.oldMode, change.oldOid),
    newBytes: size(change.newMode, change.newOid),
  };
  const nothing = { ...base, binary: false, tooLarge: false, additions: 0, deletions: 0, hunks: [], newLineCount: 0 };
  if (change.oldOid === change.newOid) return nothing;
  const max = Math.min(budget.maxFileBytes, budget.bytes);
  const oldData = contentOf(store, change.oldMode, change.oldOid, max);
  const newData = contentOf(store, change.newMode, change.newOid, max);
  if (oldData === "too-large" || newData === "too-large") return { ...nothing, tooLarge: true };
  budget.bytes -= oldData.length + newData.length;
  if (isBinaryFile(oldData, change.oldPath, options) || isBinaryFile(newData, change.newPath, options))
    return { ...nothing, binary: true };
  const oldLines = Text.of(oldData);
  const newLines = Text.of(newData);
  const hunks = hunksOf(oldLines, newLines, options);
  let additions = 0;
  let deletions = 0;
  let shown = 0;
  for (const hunk of hunks) {
    shown += hunk.oldEnd - hunk.oldStart;
    for (const block of hunk.blocks) {
      additions += block.newEnd - block.newStart;
      deletions += block.oldEnd - block.oldStart;
      shown += block.newEnd - block.newStart;
    }
  }
  if (budget.files <= 0 || shown > budget.maxFileLines || shown > budget.lines) {
    return { ...nothing, tooLarge: true, additions, deletions };
  }
  budget.files--;
  budget.lines -= shown;
  const headings = Headings.of(oldLines, change, options);
  const words = (options.words ?? true) ? budget : undefined;
  return {
    ...nothing,
    additions,
    deletions,
    newLineCount: newLines.count,
    hunks: hunks.map((hunk) => fileHunk(hunk, oldLines, newLines, headings, words)),
  };
}

function fileHunk(
  hunk: HunkRange,
  oldLines: Text,
  newLines: Text,
  headings: Headings,
  words: Budget | undefined,
): FileHunk {
  const lines: DiffLine[] = [];
  const [first] = hunk.blocks;
  // With ignored blank lines before it, the first change need not be equally far from the start on both sides.
  let newAt = hunk.newStart;
  let oldAt = first ? first.oldStart - (first.newStart - newAt) : hunk.oldStart;
  const context = (until: number) => {
    for (; newAt < until; newAt++, oldAt++) lines.push(line("context", newLines.line(newAt), oldAt + 1, newAt + 1));
  };
  for (const block of hunk.blocks) {
    context(block.newStart);
    const firstDeleted = lines.length;
    for (; oldAt < block.oldEnd; oldAt++) lines.push(line("deleted", oldLines.line(oldAt), oldAt + 1, undefined));
    const firstAdded = lines.length;
    for (; newAt < block.newEnd; newAt++) lines.push(line("added", newLines.line(newAt), undefined, newAt + 1));
    if (words) markPairs(lines, firstDeleted, firstAdded, words);
  }
  context(hunk.newEnd);
  const oldCount = hunk.oldEnd - hunk.oldStart;
  const newCount = hunk.newEnd - hunk.newStart;
  return {
    oldStart: oldCount === 0 ? hunk.oldStart : hunk.oldStart + 1,
    oldLines: oldCount,
    newStart: newCount === 0 ? hunk.newStart : hunk.newStart + 1,
    newLines: newCount,
    heading: decode(headings.before(hunk.oldStart)),
    lines,
  };
}

/** Longer blocks are rewrites rather than changed lines. */
const MAX_MARKED_BLOCK = 60;

function markPairs(lines: DiffLine[], first: number, firstAdded: number, budget: Budget): void {
  const deleted = firstAdded - first;
  const added = lines.length - firstAdded;
  if (deleted > MAX_MARKED_BLOCK || added > MAX_MARKED_BLOCK) return;
  for (let i = 0; i < Math.min(deleted, added); i++) {
    const before = lines[first + i]!;
    const after = lines[firstAdded + i]!;
    budget.words -= before.text.length + after.text.length;
    if (budget.words < 0) return;
    const marks = markWords(before.text, after.text);
    if (!marks) continue;
    if (marks.old.length > 0) before.marks = marks.old;
    if (marks.new.length > 0) after.marks = marks.new;
  }
}

function line(kind: DiffLine["kind"], raw: Uint8Array, oldNo: number | undefined, newNo: number | undefined): DiffLine {
  if (raw[raw.length - 1] === 0x0a) return { kind, text: decode(raw.subarray(0, -1)), oldNo, newNo };
  return { kind, text: decode(raw), oldNo, newNo, noNewline: true };
}

function decode(bytes: Uint8Array): string {
  // A byte order mark at the start of a line may be the only change.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
