import type { ObjectSource } from "../../objects/source.ts";
import type { Oid } from "../../objects/types.ts";
import { Abbreviator } from "../../pretty/abbreviate.ts";
import type { FileChange } from "../change.ts";
import { changedFiles } from "../changes.ts";
import { Comparison } from "../comparison.ts";
import { ignoresSpaces } from "../lines/whitespace.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { DiffFormat, PrintOptions, StatusFilter } from "./options.ts";
import { type PatchContext, printPatch } from "./patch.ts";
import { printName, printRaw } from "./raw.ts";
import { type FileStat, printNumstat, printShortstat, printStat, summaryOf } from "./stat.ts";

/**
 * Prints the difference of two trees in git's formats.
 * @param oldTree undefined: nothing was there (a root commit)
 * @param out gets the output in pieces, which are its own to keep
 * @returns whether the trees differ, as `--exit-code` tells it
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
  return new DiffPrinter(store, options).print(files, out);
}

/** Prints differences of one repository; keeps what is costly to find out from one to the next. */
export class DiffPrinter {
  private readonly abbreviator: Abbreviator;

  constructor(
    private readonly store: ObjectSource,
    private readonly options: PrintOptions,
    abbreviator?: Abbreviator,
  ) {
    this.abbreviator = abbreviator ?? new Abbreviator(store, options.abbrev ?? "auto");
  }

  /** As `printDiff`. */
  printTrees(oldTree: Oid | undefined, newTree: Oid | undefined, out: (bytes: Uint8Array) => void): boolean {
    return this.print(this.changes(oldTree, newTree), out);
  }

  /** The files that differ, renames paired, as the options have it. Of more than `most` there are some more than that. */
  changes(oldTree: Oid | undefined, newTree: Oid | undefined, most = Number.POSITIVE_INFINITY): FileChange[] {
    const options = { maxFiles: most + 1, ...this.options };
    return changedFiles(this.store, oldTree, newTree, options).files;
  }

  /** Prints files that differ; `--diff-filter` applies. @returns whether there is a difference */
  print(changes: readonly FileChange[], out: (bytes: Uint8Array) => void): boolean {
    const files = filtered(changes, this.options.filter);
    const writer = new ByteWriter(out);
    const changed = new Printing(this.store, this.abbreviator, this.options, files, writer).run();
    writer.flush();
    return changed;
  }
}

/** Text formats that come between the raw lines and the patch. */
const STAT_FORMATS: readonly DiffFormat[] = ["numstat", "stat", "shortstat"];

/** Contents that a patch needs again after the counts are made are kept up to this; beyond it they are read twice. */
const MOST_BYTES_KEPT = 32 * 1024 * 1024;

class Printing implements PatchContext {
  private readonly comparisons = new Map<FileChange, Comparison>();
  /** Something but a summary was printed: a patch is set off from it. */
  private began = false;
  private bytesKept = 0;

  constructor(
    readonly store: ObjectSource,
    private readonly abbreviator: Abbreviator,
    private readonly options: PrintOptions,
    private readonly files: readonly FileChange[],
    private readonly out: ByteWriter,
  ) {}

  run(): boolean {
    const { files, out } = this;
    const { formats } = this.options;
    const nul = this.options.nul ?? false;
    let changed = files.length > 0;
    if (files.length === 0) return false;
    this.printRawLines(nul);
    if (STAT_FORMATS.some((format) => formats.has(format))) this.printStats(nul);
    if (formats.has("summary")) {
      const text = files.map(summaryOf).join("");
      out.text(text);
      if (text !== "") this.began = true;
    }
    if (formats.has("patch")) {
      if (this.began) out.text(nul ? "\0" : "\n");
      let shown = false;
      for (const change of files) {
        if (printPatch(this, change, this.options, out)) shown = true;
        this.comparisons.delete(change);
      }
      if (ignoresSpaces(this.options) || this.options.ignoreBlankLines) changed = shown;
    }
    return changed;
  }

  abbreviate(oid: Oid): string {
    return this.abbreviator.abbreviate(oid);
  }

  comparison(change: FileChange): Comparison | undefined {
    return this.comparisons.get(change);
  }

  private printRawLines(nul: boolean): void {
    const { files, out } = this;
    const { formats, abbrev } = this.options;
    const { zeroOid } = this.store.format;
    const shorten = (oid: Oid | undefined) =>
      abbrev === undefined ? (oid ?? zeroOid) : this.abbreviate(oid ?? zeroOid);
    if (formats.has("raw")) for (const change of files) printRaw(change, { shorten }, nul, out);
    else if (formats.has("name-status")) for (const change of files) printRaw(change, undefined, nul, out);
    else if (formats.has("name-only")) for (const change of files) printName(change, nul, out);
    else return;
    this.began = true;
  }

  private printStats(nul: boolean): void {
    const { out } = this;
    const { formats, stat = {} } = this.options;
    const stats = this.stats();
    if (formats.has("numstat")) printNumstat(stats, nul, out);
    if (formats.has("stat")) printStat(stats, stat, out);
    if (formats.has("shortstat")) printShortstat(stats, out);
    this.began = true;
  }

  private stats(): FileStat[] {
    const found: FileStat[] = [];
    const keep = this.options.formats.has("patch");
    for (const change of this.files) {
      const compared = new Comparison(this.store, change, this.options);
      const file = statOf(compared);
      const { status, oldMode, newMode } = change;
      // White space options may leave nothing of a change; what is not only a change of lines stays.
      const nothing = !file.binary && file.additions === 0 && file.deletions === 0;
      if (status === "modified" && nothing && oldMode === newMode) continue;
      found.push(file);
      if (!keep) continue;
      this.comparisons.set(change, compared);
      this.bytesKept += bytesOf(compared);
      if (this.bytesKept > MOST_BYTES_KEPT) compared.forgetContents();
    }
    return found;
  }
}

function bytesOf(compared: Comparison): number {
  const [oldBytes, newBytes] = compared.sizes();
  return oldBytes + newBytes;
}

/** What a file contributes to a diffstat. @throws CorruptObject when a blob is missing */
export function statOf(compared: Comparison): FileStat {
  const { change, same } = compared;
  if (compared.binary) {
    const [oldBytes, newBytes] = same ? [0, 0] : compared.sizes();
    return { change, additions: 0, deletions: 0, binary: true, oldBytes, newBytes };
  }
  return { change, ...compared.counts(), binary: false, oldBytes: 0, newBytes: 0 };
}

function filtered(changes: readonly FileChange[], filter: StatusFilter | undefined): readonly FileChange[] {
  if (!filter) return changes;
  const found = changes.filter(({ status }) => filter.only.has(status));
  return filter.all && found.length > 0 ? changes : found;
}
