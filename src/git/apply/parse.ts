import { binaryHunk } from "./binary.ts";
import { gitHeader, guessStrip, traditionalHeader } from "./headers.ts";
import { type BinaryHunk, emptyFilePatch, type FilePatch, type Hunk, MalformedPatch } from "./patch.ts";
import { PatchText } from "./text.ts";

export interface ParseOptions {
  /** Leading components stripped from names (`-p`); 1 by default. */
  readonly strip?: number;
  /** Maximum files in a patch; 100,000 by default. */
  readonly maxFiles?: number;
  /** Maximum content size of a binary file; 64 MiB by default. The total may be twice that. */
  readonly maxBinaryBytes?: number;
  /** Trusts the lines of a hunk where they contradict the counts in its header, as `git apply --recount` does. */
  readonly recount?: boolean;
}

type HunkRange = Pick<Hunk, "oldStart" | "oldLines" | "newStart" | "newLines">;

const MAX_FILES = 100_000;
const MAX_BINARY_BYTES = 64 * 1024 * 1024;
const SHORTEST_HUNK = 14;

/**
 * Parses a patch: git's format or plain unified diffs, with any text around them.
 * @param data the patch as bytes, or as latin1 text
 * @throws MalformedPatch in git's words
 */
export function parsePatch(data: Uint8Array | string, options: ParseOptions = {}): FilePatch[] {
  const text =
    typeof data === "string" ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const patches: FilePatch[] = [];
  const parser = new Parser(new PatchText(text), options);
  const maxFiles = options.maxFiles ?? MAX_FILES;
  for (let patch = parser.next(); patch; patch = parser.next()) {
    patches.push(patch);
    if (patches.length > maxFiles) throw new MalformedPatch("the patch changes too many files");
  }
  if (patches.length === 0) throw new MalformedPatch('No valid patches in input (allow with "--allow-empty")');
  return patches;
}

class Parser {
  private readonly maxBinaryBytes: number;
  private binaryBytesLeft: number;
  private strip: number;
  private stripIsSet: boolean;
  private readonly recount: boolean;

  constructor(
    private readonly text: PatchText,
    options: ParseOptions,
  ) {
    this.strip = options.strip ?? 1;
    this.stripIsSet = options.strip !== undefined;
    this.recount = options.recount ?? false;
    this.maxBinaryBytes = options.maxBinaryBytes ?? MAX_BINARY_BYTES;
    this.binaryBytesLeft = 2 * this.maxBinaryBytes;
  }

  next(): FilePatch | undefined {
    const patch = this.header();
    if (!patch) return undefined;
    this.readHunks(patch);
    if (patch.hunks.length === 0) this.readBinary(patch);
    return patch;
  }

  /** Advances to the next file's header and reads it; undefined at the end. */
  private header(): FilePatch | undefined {
    const { text } = this;
    const patch = emptyFilePatch();
    for (; !text.atEnd; text.skipLine()) {
      const isHunk = text.startsWith("@@ -");
      const isGit = !isHunk && text.startsWith("diff --git ");
      if (!isHunk && !isGit && !text.startsWith("--- ")) continue;
      const line = text.line();
      if (line.length < 6) continue;
      if (isHunk) {
        if (!hunkHeader(line)) continue;
        throw new MalformedPatch(`patch fragment without header at line ${text.number}: ${line.replace(/\n$/, "")}`);
      }
      if (text.left < line.length + 6) return undefined;
      if (isGit) {
        const mark = text.mark();
        if (gitHeader(text, this.strip, patch)) return patch;
        text.reset(mark);
        // git counts this line twice.
        text.number++;
        continue;
      }
      const [, second, third] = text.peek(3);
      if (!second?.startsWith("+++ ") || !third?.startsWith("@@ -")) continue;
      if (text.left - line.length < second.length + SHORTEST_HUNK) continue;
      if (!this.stripIsSet) {
        const guessed = guessStrip(text, this.strip);
        if (guessed !== this.strip) {
          this.strip = guessed;
          this.stripIsSet = true;
        }
      }
      traditionalHeader(text, this.strip, patch);
      return patch;
    }
    return undefined;
  }

  private readHunks(patch: FilePatch): void {
    const { text } = this;
    let oldLines = 0;
    let newLines = 0;
    while (text.left > 4 && text.startsWith("@@ -")) {
      const hunk = this.hunk(patch);
      patch.hunks.push(hunk);
      oldLines += hunk.oldLines;
      newLines += hunk.newLines;
    }
    // A patch that removes lines does not create its file, one that adds lines does not delete it; and those have one
    // hunk.
    const several = patch.hunks.length > 1;
    if (patch.isNew === undefined && (oldLines > 0 || several)) patch.isNew = false;
    if (patch.isDelete === undefined && (newLines > 0 || several)) patch.isDelete = false;
    // An old name can only be left over from an earlier header that came to nothing.
    if (patch.isNew) patch.oldName = undefined;
    if (patch.isNew && oldLines > 0) throw new MalformedPatch(`new file ${patch.newName} depends on old contents`);
    if (patch.isDelete && newLines > 0) throw new MalformedPatch(`deleted file ${patch.oldName} still has contents`);
  }

  private hunk(patch: FilePatch): Hunk {
    const { text } = this;
    const stated = hunkHeader(text.line());
    if (!stated) throw corrupt(text);
    text.skipLine();
    return this.hunkLines(patch, this.recount ? { ...stated, ...countedLines(text, stated) } : stated);
  }

  private hunkLines(patch: FilePatch, range: HunkRange): Hunk {
    const { text } = this;
    const lines: string[] = [];
    let { oldLines, newLines } = range;
    let leading = 0;
    let trailing = 0;
    let changed = false;
    for (; !text.atEnd && (oldLines !== 0 || newLines !== 0); text.skipLine()) {
      const line = text.line();
      if (!line.endsWith("\n")) throw corrupt(text);
      const kind = line[0]!;
      if (kind === " " || kind === "\n") {
        oldLines--;
        newLines--;
        if (!changed) leading++;
        trailing++;
      } else if (kind === "-" || kind === "+") {
        if (kind === "-") oldLines--;
        else newLines--;
        changed = true;
        trailing = 0;
      } else if (kind !== "\\" || line.length < 12 || !line.startsWith("\\ ")) throw corrupt(text);
      lines.push(line);
    }
    if (oldLines !== 0 || newLines !== 0 || !changed) throw corrupt(text);
    if (text.left > 12 && text.startsWith("\\ ")) {
      lines.push(text.line());
      text.skipLine();
      // git does not count this line.
      text.number--;
    }
    if (patch.isNew && oldLines > 0) throw new MalformedPatch("new file depends on old contents");
    return { ...range, leading, trailing, lines };
  }

  private binaryHunk(): BinaryHunk | undefined {
    const hunk = binaryHunk(this.text, Math.min(this.maxBinaryBytes, this.binaryBytesLeft));
    this.binaryBytesLeft -= hunk?.data.length ?? 0;
    return hunk;
  }

  private readBinary(patch: FilePatch): void {
    const { text } = this;
    const line = text.line();
    const { number } = text;
    if (line === "GIT binary patch\n") {
      text.skipLine();
      patch.forward = this.binaryHunk();
      if (!patch.forward) throw new MalformedPatch(`unrecognized binary patch at line ${number}`);
      patch.backward = this.binaryHunk();
      patch.isBinary = true;
    } else if (/^(?:Binary files|Files) .* differ\n$/s.test(line)) {
      text.skipLine();
      patch.isBinary = true;
    }
    if (!patch.isBinary && !changesMetadata(patch))
      throw new MalformedPatch(`patch with only garbage at line ${number}`);
  }
}

function changesMetadata({ isRename, isCopy, isNew, isDelete, oldMode, newMode }: FilePatch): boolean {
  const changesMode = oldMode !== 0 && newMode !== 0 && oldMode !== newMode;
  // If a plain patch leaves open whether the file is deleted, git counts that as a change.
  return isRename || isCopy || isNew === true || isDelete !== false || changesMode;
}

function corrupt(text: PatchText): MalformedPatch {
  return new MalformedPatch(`corrupt patch at line ${text.number}`);
}

/**
 * The actual line counts of a hunk whose header is wrong. Empty lines at its end do not belong to it.
 * @returns undefined if the header is right, or is followed by something that does not belong to a patch
 */
function countedLines(text: PatchText, stated: HunkRange): Pick<Hunk, "oldLines" | "newLines"> | undefined {
  const start = text.mark();
  let [oldLines, newLines] = [0, 0];
  let counted = { oldLines, newLines };
  try {
    for (; !text.atEnd && !endsHunk(text); text.skipLine()) {
      const kind = text.line()[0]!;
      if (oldLines === stated.oldLines && newLines === stated.newLines && !" +-".includes(kind)) return undefined;
      if (" -\n".includes(kind)) oldLines++;
      if (" +\n".includes(kind)) newLines++;
      if (" +-".includes(kind)) counted = { oldLines, newLines };
      else if (!"\n\\".includes(kind)) return undefined;
    }
  } finally {
    text.reset(start);
  }
  return counted;
}

/** The next hunk, the next file, or a mail signature. Unlike git, a plain header is not mistaken for a deleted line. */
function endsHunk(text: PatchText): boolean {
  if (text.startsWith("@@ ") || text.startsWith("diff ") || text.startsWith("-- \n")) return true;
  return text.startsWith("--- ") && /^\+\+\+ [^\n]*\n@@ /.test(text.peek(3).slice(1).join(""));
}

function hunkHeader(line: string): HunkRange | undefined {
  const range = /^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@[^\n]*\n$/.exec(line);
  if (!range) return undefined;
  const [oldStart, oldLines, newStart, newLines] = [range[1], range[2] ?? 1, range[3], range[4] ?? 1].map(Number);
  const numbers = { oldStart: oldStart!, oldLines: oldLines!, newStart: newStart!, newLines: newLines! };
  return Object.values(numbers).every(Number.isSafeInteger) ? numbers : undefined;
}
