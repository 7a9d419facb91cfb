import type { ObjectSource } from "../../objects/source.ts";
import { isTreeMode } from "../../objects/tree.ts";
import type { Oid } from "../../objects/types.ts";
import { Abbreviator } from "../../pretty/abbreviate.ts";
import type { FileChange } from "../change.ts";
import { changedFiles } from "../changes.ts";
import { Comparison } from "../comparison.ts";
import { ignoresSpaces } from "../lines/whitespace.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { DiffFormat, PrintOptions } from "./options.ts";
import { type PatchContext, printPatch } from "./patch.ts";
import { type NameStyle, printName, printRaw } from "./raw.ts";
import { type FileStat, printNumstat, printShortstat, printStat, summaryOf } from "./stat.ts";

/**
 * Prints the diff of two trees in git's formats.
 * @param oldTree undefined for no old tree (a root commit)
 * @param out receives the output in pieces, which it may keep
 * @returns whether the trees differ, as for `--exit-code`
 * @throws CorruptObject when an object is missing
 */
export function printDiff(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: PrintOptions,
  out: (bytes: Uint8Array) => void,
): boolean {
  const { files } = changedFiles(store, oldTree, newTree, { maxFiles: Number.POSITIVE_INFINITY, ...options });
  const printer = new DiffPrinter(store, options);
  return printer.print(printer.selected(files), out);
}

/** Prints diffs of one repository; reuses what is expensive to compute from one to the next. */
export class DiffPrinter {
  private readonly abbreviator: Abbreviator;

  constructor(
    private readonly store: ObjectSource,
    private readonly options: PrintOptions,
    abbreviator?: Abbreviator,
  ) {
    this.abbreviator = abbreviator ?? new Abbreviator(store, options.abbrev ?? "auto");
  }

  /** Like `printDiff`. */
  printTrees(oldTree: Oid | undefined, newTree: Oid | undefined, out: (bytes: Uint8Array) => void): boolean {
    return this.print(this.changes(oldTree, newTree), out);
  }

  /**
   * The differing files, with renames paired and `--diff-filter` applied, as the options say. Collects one more than
   * `max`, which shows that there are more, and stops there.
   */
  changes(oldTree: Oid | undefined, newTree: Oid | undefined, max = Number.POSITIVE_INFINITY): readonly FileChange[] {
    const options = { maxFiles: max + 1, ...this.options };
    return this.selected(changedFiles(this.store, oldTree, newTree, options).files);
  }

  /** The changes that pass `--diff-filter`. */
  selected(changes: readonly FileChange[]): readonly FileChange[] {
    const { filter } = this.options;
    if (!filter) return changes;
    const found = changes.filter(({ status }) => filter.only.has(status));
    return filter.all && found.length > 0 ? changes : found;
  }

  /** Prints changed files. @returns whether there is a difference */
  print(changes: readonly FileChange[], out: (bytes: Uint8Array) => void): boolean {
    const writer = new ByteWriter(out);
    const changed = new Printing(this.store, this.abbreviator, this.options, changes, writer).run();
    writer.flush();
    return changed;
  }
}

/** Text formats that come between the raw lines and the patch. */
const STAT_FORMATS: readonly DiffFormat[] = ["numstat", "stat", "shortstat"];

/** Contents needed again for the patch after counting are kept up to this size; beyond it they are read twice. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

class Printing implements PatchContext {
  /** Changes with lines: directories appear only in raw, name and summary output. */
  private readonly contents: readonly FileChange[];
  private readonly comparisons = new Map<FileChange, Comparison>();
  /** Whether anything was printed before the patch, which then needs a separator. */
  private began = false;
  private cachedBytes = 0;

  constructor(
    readonly store: ObjectSource,
    private readonly abbreviator: Abbreviator,
    private readonly options: PrintOptions,
    private readonly files: readonly FileChange[],
    private readonly out: ByteWriter,
  ) {
    this.contents = options.directories || options.flat ? files.filter((change) => !ofDirectory(change)) : files;
  }

  run(): boolean {
    const { files, out } = this;
    const { formats } = this.options;
    const nul = this.options.nul ?? false;
    if (files.length === 0) return false;
    // When ignoring white space, only a patch tells whether files differ; other formats say no, as in git.
    const byContent = ignoresSpaces(this.options);
    if (formats.size === 0) return !byContent || this.printPatches(new ByteWriter(() => {}));
    const names = { nul, ascii: this.options.asciiNames ?? true };
    this.printRawLines(names);
    if (STAT_FORMATS.some((format) => formats.has(format))) this.printStats(names);
    if (formats.has("summary")) {
      const text = files.map((change) => summaryOf(change, names.ascii)).join("");
      out.text(text);
      if (text !== "") this.began = true;
    }
    if (formats.has("patch")) {
      if (this.began) out.text(nul ? "\0" : "\n");
      const shown = this.printPatches(out);
      if (byContent) return shown;
    }
    return !byContent;
  }

  /** @returns whether contents differ */
  private printPatches(out: ByteWriter): boolean {
    let shown = false;
    for (const change of this.contents) {
      if (printPatch(this, change, this.options, out)) shown = true;
      this.comparisons.delete(change);
    }
    return shown;
  }

  abbreviate(oid: Oid): string {
    return this.abbreviator.abbreviate(oid);
  }

  comparison(change: FileChange): Comparison | undefined {
    return this.comparisons.get(change);
  }

  private printRawLines(names: NameStyle): void {
    const { files, out } = this;
    const { formats, abbrev } = this.options;
    const { zeroOid } = this.store.format;
    const shorten = (oid: Oid | undefined) =>
      abbrev === undefined ? (oid ?? zeroOid) : this.abbreviate(oid ?? zeroOid);
    if (formats.has("raw")) for (const change of files) printRaw(change, { shorten }, names, out);
    else if (formats.has("name-status")) for (const change of files) printRaw(change, undefined, names, out);
    else if (formats.has("name-only")) for (const change of files) printName(change, names, out);
    else return;
    this.began = true;
  }

  private printStats(names: NameStyle): void {
    const { out } = this;
    const { formats, stat = {} } = this.options;
    const stats = this.stats();
    if (formats.has("numstat")) printNumstat(stats, names, out);
    if (formats.has("stat")) printStat(stats, stat, names.ascii, out);
    if (formats.has("shortstat")) printShortstat(stats, out);
    this.began = true;
  }

  private stats(): FileStat[] {
    const found: FileStat[] = [];
    const keep = this.options.formats.has("patch");
    for (const change of this.contents) {
      const compared = new Comparison(this.store, change, this.options);
      const file = statOf(compared);
      const { status, oldMode, newMode } = change;
      // White space options may leave nothing of a change; changes beyond lines are kept.
      const nothing = !file.binary && file.additions === 0 && file.deletions === 0;
      if (status === "modified" && nothing && oldMode === newMode) continue;
      found.push(file);
      if (!keep) continue;
      this.comparisons.set(change, compared);
      this.cachedBytes += bytesOf(compared);
      if (this.cachedBytes > MAX_CACHED_BYTES) compared.forgetContents();
    }
    return found;
  }
}

function ofDirectory({ oldMode, newMode }: FileChange): boolean {
  return isTreeMode(oldMode) || isTreeMode(newMode);
}

function bytesOf(compared: Comparison): number {
  const [oldBytes, newBytes] = compared.sizes();
  return oldBytes + newBytes;
}

/** A file's numbers for a diffstat. @throws CorruptObject when a blob is missing */
export function statOf(compared: Comparison): FileStat {
  const { change, same } = compared;
  if (compared.binary) {
    const [oldBytes, newBytes] = same ? [0, 0] : compared.sizes();
    return { change, additions: 0, deletions: 0, binary: true, oldBytes, newBytes };
  }
  return { change, ...compared.counts(), binary: false, oldBytes: 0, newBytes: 0 };
}
