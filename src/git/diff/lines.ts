/**
 * Text as the diff sees it. Contents are latin1 strings, one character a byte: any bytes survive, and JavaScript's own
 * strings and maps do the hashing. A line keeps its newline, so a last line without one differs from one with it.
 */

export interface WhitespaceOptions {
  /** `-w`: whitespace does not matter at all. */
  readonly ignoreAllSpace?: boolean;
  /** `-b`: runs of whitespace are alike, and none at the end of a line matters. */
  readonly ignoreSpaceChange?: boolean;
  /** `--ignore-space-at-eol` */
  readonly ignoreSpaceAtEol?: boolean;
  /** `--ignore-blank-lines`: changes of nothing but blank lines are left out. */
  readonly ignoreBlankLines?: boolean;
}

export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** What of a line is compared under the options; undefined when all of it is. */
export function lineKey(options: WhitespaceOptions): ((line: string) => string) | undefined {
  if (options.ignoreAllSpace) return (line) => line.replace(/[ \t-\r]+/g, "");
  if (options.ignoreSpaceChange) return (line) => trimEnd(line).replace(/[ \t-\r]+/g, " ");
  if (options.ignoreSpaceAtEol) return trimEnd;
  return undefined;
}

export function isBlank(line: string): boolean {
  return trimEnd(line) === "";
}

function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Gives lines numbers, the same number to lines that compare equal. */
export class LineNumbers {
  private readonly numbers = new Map<string, number>();

  constructor(private readonly key?: (line: string) => string) {}

  of(lines: readonly string[]): Int32Array {
    const result = new Int32Array(lines.length);
    for (let i = 0; i < lines.length; i++) {
      const key = this.key ? this.key(lines[i]!) : lines[i]!;
      let number = this.numbers.get(key);
      if (number === undefined) {
        number = this.numbers.size;
        this.numbers.set(key, number);
      }
      result[i] = number;
    }
    return result;
  }

  get size(): number {
    return this.numbers.size;
  }
}
