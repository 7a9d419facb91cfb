import { formatOf } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import { binaryPatch } from "./binary-patch.ts";
import { type Block, diffLines, isBlankBlock } from "./blocks.ts";
import type { FileChange } from "./change.ts";
import { contentOf, isBinary, toLatin1 } from "./content.ts";
import { MODE_KIND } from "./cursor.ts";
import { formatRange, groupHunks, Headings, type HunkRange } from "./hunks.ts";
import { splitLines, type WhitespaceOptions } from "./lines.ts";
import { quotePath } from "./quote.ts";

export interface PatchOptions extends WhitespaceOptions {
  /** Lines around a change; 3 by default. */
  readonly context?: number;
  /** `--binary`: binary files in full, with full ids; otherwise a line says that they differ. */
  readonly binary?: boolean;
  /** Digits of ids in index lines; 7 by default, all in binary patches always. */
  readonly oidDigits?: number;
  /** A file larger than this is treated as one that is binary and left out; 16 MiB by default. */
  readonly maxFileBytes?: number;
}

/** As many as an id of any format has. */
const ALL_DIGITS = 64;

export interface FilePatch {
  readonly patch: Uint8Array;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  readonly oldBytes: number;
  readonly newBytes: number;
}

const MAX_PATCH_FILE_BYTES = 16 * 1024 * 1024;

/**
 * What `git diff` prints for one file; `git apply` takes it.
 * @throws CorruptObject when a blob is missing
 */
export function filePatch(store: ObjectSource, change: FileChange, options: PatchOptions = {}): FilePatch {
  if (isTypeChange(change)) return splitTypeChange(store, change, options);
  const max = options.maxFileBytes ?? MAX_PATCH_FILE_BYTES;
  const oldData = contentOf(store, change.oldMode, change.oldOid, max);
  const same = change.oldOid === change.newOid;
  const newData = same ? oldData : contentOf(store, change.newMode, change.newOid, max);
  if (same) {
    const binary = oldData === "too-large" || isBinary(oldData);
    return report(header(change, ALL_DIGITS), 0, 0, binary, oldData, newData);
  }
  if (oldData === "too-large" || newData === "too-large") {
    return report(header(change, options.oidDigits ?? 7) + differ(change), 0, 0, true, oldData, newData);
  }
  if (isBinary(oldData) || isBinary(newData)) {
    const body = options.binary ? binaryPatch(oldData, newData) : differ(change);
    const digits = options.binary ? ALL_DIGITS : (options.oidDigits ?? 7);
    return report(header(change, digits) + body, 0, 0, true, oldData, newData);
  }
  const oldLines = splitLines(toLatin1(oldData));
  const newLines = splitLines(toLatin1(newData));
  const { hunks } = hunksOf(oldLines, newLines, options);
  const pieces = [header(change, options.oidDigits ?? 7)];
  if (hunks.length > 0) pieces.push(fileLines(change));
  else if (pathsOnly(change) && hasWhitespaceOption(options)) pieces.length = 0;
  const headings = new Headings(oldLines);
  let additions = 0;
  let deletions = 0;
  for (const hunk of hunks) {
    pieces.push(hunkText(hunk, oldLines, newLines, headings));
    for (const block of hunk.blocks) {
      additions += block.newEnd - block.newStart;
      deletions += block.oldEnd - block.oldStart;
    }
  }
  return report(pieces.join(""), additions, deletions, false, oldData, newData);
}

/** Blocks of two texts, and the hunks they make. */
export function hunksOf(
  oldLines: readonly string[],
  newLines: readonly string[],
  options: PatchOptions,
): { blocks: Block[]; hunks: HunkRange[] } {
  const blocks = diffLines(oldLines, newLines, options);
  const matters = options.ignoreBlankLines ? (block: Block) => !isBlankBlock(block, oldLines, newLines) : undefined;
  return { blocks, hunks: groupHunks(blocks, oldLines.length, newLines.length, options.context ?? 3, matters) };
}

/** A file that becomes a link or a submodule is deleted and made anew: nothing can be patched from one to the other. */
function isTypeChange({ oldMode, newMode }: FileChange): boolean {
  return oldMode !== 0 && newMode !== 0 && (oldMode & MODE_KIND) !== (newMode & MODE_KIND);
}

/** The deletion and the addition a type change consists of. */
function typeChangeParts(change: FileChange): [FileChange, FileChange] {
  return [
    { ...change, status: "deleted", newMode: 0, newOid: undefined, newPath: change.oldPath },
    { ...change, status: "added", oldMode: 0, oldOid: undefined, oldPath: change.newPath },
  ];
}

function splitTypeChange(store: ObjectSource, change: FileChange, options: PatchOptions): FilePatch {
  const [gone, come] = typeChangeParts(change).map((part) => filePatch(store, part, options)) as [FilePatch, FilePatch];
  const binary = gone.binary || come.binary;
  return {
    patch: Buffer.concat([gone.patch, come.patch]),
    additions: binary ? 0 : come.additions,
    deletions: binary ? 0 : gone.deletions,
    binary,
    oldBytes: gone.oldBytes,
    newBytes: come.newBytes,
  };
}

function report(
  text: string,
  additions: number,
  deletions: number,
  binary: boolean,
  oldData: Uint8Array | "too-large",
  newData: Uint8Array | "too-large",
): FilePatch {
  const size = (data: Uint8Array | "too-large") => (data === "too-large" ? 0 : data.length);
  const patch = Buffer.from(text, "latin1");
  return { patch, additions, deletions, binary, oldBytes: size(oldData), newBytes: size(newData) };
}

function pathsOnly({ oldMode, newMode, oldPath, newPath }: FileChange): boolean {
  return oldMode === newMode && oldPath === newPath;
}

function hasWhitespaceOption(options: WhitespaceOptions): boolean {
  return Boolean(
    options.ignoreAllSpace || options.ignoreSpaceChange || options.ignoreSpaceAtEol || options.ignoreBlankLines,
  );
}

function modeText(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}

function header(change: FileChange, digits: number): string {
  const { oldMode, newMode } = change;
  let text = `diff --git ${quotePath("a/", change.oldPath)} ${quotePath("b/", change.newPath)}\n`;
  if (oldMode === 0) text += `new file mode ${modeText(newMode)}\n`;
  else if (newMode === 0) text += `deleted file mode ${modeText(oldMode)}\n`;
  else if (oldMode !== newMode) text += `old mode ${modeText(oldMode)}\nnew mode ${modeText(newMode)}\n`;
  if (change.status === "renamed" || change.status === "copied") {
    const verb = change.status === "renamed" ? "rename" : "copy";
    text += `similarity index ${change.similarity ?? 100}%\n`;
    text += `${verb} from ${quotePath("", change.oldPath)}\n${verb} to ${quotePath("", change.newPath)}\n`;
  }
  if (change.oldOid !== change.newOid) {
    const { zeroOid } = formatOf(change.oldOid ?? change.newOid ?? "");
    text += `index ${(change.oldOid ?? zeroOid).slice(0, digits)}..${(change.newOid ?? zeroOid).slice(0, digits)}`;
    text += oldMode === newMode ? ` ${modeText(newMode)}\n` : "\n";
  }
  return text;
}

function sideName(mode: number, prefix: string, path: string): string {
  return mode === 0 ? "/dev/null" : quotePath(prefix, path);
}

function fileLines(change: FileChange): string {
  // A tab ends a name with spaces, so that other patch programs do not cut it.
  const end = (name: string) => (name.includes(" ") && !name.startsWith('"') ? "\t\n" : "\n");
  const oldName = sideName(change.oldMode, "a/", change.oldPath);
  const newName = sideName(change.newMode, "b/", change.newPath);
  return `--- ${oldName}${end(oldName)}+++ ${newName}${end(newName)}`;
}

function differ(change: FileChange): string {
  const oldName = sideName(change.oldMode, "a/", change.oldPath);
  return `Binary files ${oldName} and ${sideName(change.newMode, "b/", change.newPath)} differ\n`;
}

function hunkText(
  hunk: HunkRange,
  oldLines: readonly string[],
  newLines: readonly string[],
  headings: Headings,
): string {
  const heading = headings.before(hunk.oldStart);
  const ranges = `-${formatRange(hunk.oldStart, hunk.oldEnd)} +${formatRange(hunk.newStart, hunk.newEnd)}`;
  const pieces = [`@@ ${ranges} @@${heading ? ` ${heading}` : ""}\n`];
  const put = (sign: string, lines: readonly string[], start: number, end: number) => {
    for (let i = start; i < end; i++) {
      const line = lines[i]!;
      pieces.push(sign, line);
      if (!line.endsWith("\n")) pieces.push("\n\\ No newline at end of file\n");
    }
  };
  let at = hunk.newStart;
  for (const block of hunk.blocks) {
    put(" ", newLines, at, block.newStart);
    put("-", oldLines, block.oldStart, block.oldEnd);
    put("+", newLines, block.newStart, block.newEnd);
    at = block.newEnd;
  }
  put(" ", newLines, at, hunk.newEnd);
  return pieces.join("");
}
