import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { diffTexts } from "./blocks.ts";
import type { FileChange } from "./change.ts";
import { contentOf, isBinary } from "./content.ts";
import { DEFAULT_CONTEXT, groupHunks, type HunkRange } from "./hunks.ts";
import { type CommonEnds, commonEnds } from "./lines/common-ends.ts";
import type { Block } from "./lines/edits.ts";
import { Text } from "./lines/text.ts";
import { isBlankLine } from "./lines/whitespace.ts";
import type { CompareOptions } from "./print/options.ts";

const NOTHING = new Uint8Array(0);
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** The two contents of a changed file, read and compared on demand. */
export class Comparison {
  private readonly max: number;
  private texts: readonly [Text, Text] | undefined;
  private common: CommonEnds | undefined;
  private found: HunkRange[] | undefined;
  private readonly sides: [Uint8Array | "too-large" | undefined, Uint8Array | "too-large" | undefined] = [
    undefined,
    undefined,
  ];

  constructor(
    private readonly store: ObjectSource,
    readonly change: FileChange,
    private readonly options: CompareOptions,
  ) {
    this.max = options.maxFileBytes ?? MAX_TEXT_BYTES;
  }

  /** Whether the ids, and hence the contents, are equal. */
  get same(): boolean {
    return this.change.oldOid === this.change.newOid;
  }

  /** @throws CorruptObject when the blob is missing */
  get oldData(): Uint8Array | "too-large" {
    this.sides[0] ??= contentOf(this.store, this.change.oldMode, this.change.oldOid, this.max);
    return this.sides[0];
  }

  /** @throws CorruptObject when the blob is missing */
  get newData(): Uint8Array | "too-large" {
    if (this.same && this.change.oldMode !== 0) return this.oldData;
    this.sides[1] ??= contentOf(this.store, this.change.newMode, this.change.newOid, this.max);
    return this.sides[1];
  }

  /** Whether either side is binary, or too large to compare. */
  get binary(): boolean {
    const { oldPath, newPath } = this.change;
    return isBinaryFile(this.oldData, oldPath, this.options) || isBinaryFile(this.newData, newPath, this.options);
  }

  /**
   * Whether a patch shows lines: with `text` also those of binary contents. Counts leave binary files out regardless.
   */
  get shownAsText(): boolean {
    if (!this.options.text) return !this.binary;
    return this.oldData !== "too-large" && this.newData !== "too-large";
  }

  /** Sizes of the contents in bytes, even if they are too large to be read. */
  sizes(): readonly [number, number] {
    const { oldMode, oldOid, newMode, newOid } = this.change;
    return [this.sizeOf(this.oldData, oldMode, oldOid), this.sizeOf(this.newData, newMode, newOid)];
  }

  /** Both contents as lines; empty if a content is too large. */
  lines(): readonly [Text, Text] {
    if (this.texts) return this.texts;
    const oldData = this.oldData === "too-large" ? NOTHING : this.oldData;
    const newData = this.newData === "too-large" ? NOTHING : this.newData;
    this.common = commonEnds(oldData, newData);
    this.texts = Text.pair(oldData, newData, this.common);
    return this.texts;
  }

  /** The hunks of a textual patch. */
  hunks(): readonly HunkRange[] {
    this.found ??= this.same ? [] : hunksOf(...this.lines(), this.options, this.common);
    return this.found;
  }

  /** Added and deleted lines, as numstat counts them. */
  counts(): { additions: number; deletions: number } {
    let additions = 0;
    let deletions = 0;
    for (const { blocks } of this.hunks()) {
      for (const block of blocks) {
        additions += block.newEnd - block.newStart;
        deletions += block.oldEnd - block.oldStart;
      }
    }
    return { additions, deletions };
  }

  /** Releases the contents but keeps the results. */
  forgetContents(): void {
    this.texts = undefined;
    this.sides[0] = undefined;
    this.sides[1] = undefined;
  }

  private sizeOf(data: Uint8Array | "too-large", mode: number, oid: Oid | undefined): number {
    if (data !== "too-large") return data.length;
    return (mode !== 0 && oid !== undefined && this.store.header(oid)?.sizeBytes) || 0;
  }
}

/** The hunks of changes between two texts. */
export function hunksOf(before: Text, after: Text, options: CompareOptions, common?: CommonEnds): HunkRange[] {
  const context = options.context ?? DEFAULT_CONTEXT;
  const blocks = diffTexts(before, after, { trimTail: context === 0, ...options }, common);
  const ignored = options.ignoreBlankLines ? (block: Block) => isBlankBlock(block, before, after, options) : undefined;
  return groupHunks(blocks, before.count, after.count, options, ignored);
}

/** Whether a block adds and removes only blank lines. */
function isBlankBlock(block: Block, before: Text, after: Text, options: CompareOptions): boolean {
  for (let i = block.oldStart; i < block.oldEnd; i++) if (!isBlankLine(before, i, options)) return false;
  for (let i = block.newStart; i < block.newEnd; i++) if (!isBlankLine(after, i, options)) return false;
  return true;
}

/** Whether a file is binary: decided by its attributes, otherwise by its content. */
export function isBinaryFile(data: Uint8Array | "too-large", path: string, options: CompareOptions): boolean {
  return data === "too-large" || (options.isBinaryPath?.(path) ?? isBinary(data));
}
