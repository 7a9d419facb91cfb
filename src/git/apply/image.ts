import { splitLines } from "../diff/lines/strings.ts";
import { GitError } from "../errors.ts";
import type { Hunk } from "./patch.ts";

/** Applying the patch would take more work than a server is willing to do. */
export class PatchTooExpensive extends GitError {
  override name = "PatchTooExpensive";
}

export interface HunkOptions {
  /** Lines of context that must match on either side (`-C`); all by default. */
  readonly context?: number;
  /** Hunks without context may apply anywhere (`--unidiff-zero`). */
  readonly withoutContext?: boolean;
}

/** Total lines compared and moved for one patch; a second or two. */
const MAX_WORK = 100_000_000;

/** The remaining work allowed for a patch. */
export class Work {
  private left = MAX_WORK;

  /** @throws PatchTooExpensive */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new PatchTooExpensive("the patch takes too long to apply");
  }
}

/** A file's lines while hunks are applied to it. Text is latin1. */
export class Image {
  private lines: string[];
  /** 1 for lines inserted by an earlier hunk: no later hunk may match them. */
  private patched: Uint8Array;

  constructor(
    text: string,
    private readonly work: Work,
  ) {
    this.lines = splitLines(text);
    this.patched = new Uint8Array(this.lines.length);
  }

  text(): string {
    return this.lines.join("");
  }

  /** Applies a hunk where it fits, nearest to its stated position; false if it fits nowhere. */
  apply(hunk: Hunk, options: HunkOptions): boolean {
    const { before, after } = sidesOf(hunk);
    const context = options.context ?? Number.POSITIVE_INFINITY;
    let { leading, trailing } = hunk;
    let atBeginning = hunk.oldStart === 0 || (hunk.oldStart === 1 && !options.withoutContext);
    let atEnd = !options.withoutContext && trailing === 0;
    let place = hunk.newStart > 0 ? hunk.newStart - 1 : 0;
    for (;;) {
      const found = this.find(before, place, atBeginning, atEnd);
      if (found >= 0) {
        this.replace(found, before.length, after);
        return true;
      }
      if (leading <= context && trailing <= context) return false;
      if (atBeginning || atEnd) {
        atBeginning = false;
        atEnd = false;
        continue;
      }
      // The longer context is shortened, or both if they are equally long.
      if (leading >= trailing) {
        before.shift();
        after.shift();
        place--;
        leading--;
      }
      if (trailing > leading) {
        before.pop();
        after.pop();
        trailing--;
      }
    }
  }

  private find(before: readonly string[], place: number, atBeginning: boolean, atEnd: boolean): number {
    const count = this.lines.length;
    let start = atBeginning ? 0 : atEnd ? count - before.length : place;
    if (start < 0 || start > count) start = count;
    let back = start;
    let forth = start;
    let current = start;
    for (let attempt = 0; ; attempt++) {
      if (this.matches(before, current, atBeginning, atEnd)) return current;
      if (back === 0 && forth === count) return -1;
      this.work.spend(1);
      if (attempt % 2 === 1 && back === 0) attempt++;
      else if (attempt % 2 === 0 && forth === count) attempt++;
      current = attempt % 2 === 1 ? --back : ++forth;
    }
  }

  private matches(before: readonly string[], at: number, atBeginning: boolean, atEnd: boolean): boolean {
    const { lines } = this;
    const end = at + before.length;
    if (end > lines.length || (atEnd && end !== lines.length) || (atBeginning && at > 0)) return false;
    for (let i = 0; i < before.length; i++) {
      if (lines[at + i] === before[i] && this.patched[at + i] === 0) continue;
      this.work.spend(i);
      // git compares bytes: a last line without a newline matches one that continues with nothing but white space.
      const isLast = i === before.length - 1 && !atEnd && this.patched[at + i] === 0 && !before[i]!.endsWith("\n");
      return isLast && lines[at + i]!.startsWith(before[i]!) && lines[at + i]!.slice(before[i]!.length).trim() === "";
    }
    this.work.spend(before.length);
    return true;
  }

  private replace(at: number, count: number, after: readonly string[]): void {
    this.work.spend(Math.ceil(this.lines.length / 64) + after.length);
    const end = at + count;
    const size = this.lines.length - count + after.length;
    const patched = new Uint8Array(size);
    patched.set(this.patched.subarray(0, at));
    patched.fill(1, at, at + after.length);
    patched.set(this.patched.subarray(end), at + after.length);
    this.patched = patched;
    if (count === after.length) for (let i = 0; i < count; i++) this.lines[at + i] = after[i]!;
    else this.lines = [...this.lines.slice(0, at), ...after, ...this.lines.slice(end)];
  }
}

/** The lines a hunk expects, with their context, and those it puts in their place. */
function sidesOf({ lines }: Hunk): { before: string[]; after: string[] } {
  const before: string[] = [];
  const after: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const kind = line[0];
    const cut = lines[i + 1]?.startsWith("\\") ? 1 : 0;
    if (kind === "\n") {
      if (cut === 1) continue;
      before.push("\n");
      after.push("\n");
      continue;
    }
    const content = line.slice(1, line.length - cut);
    if (kind === " " || kind === "-") before.push(content);
    if (kind === " " || kind === "+") after.push(content);
  }
  return { before, after };
}
