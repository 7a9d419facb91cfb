import { isSpace, Text } from "./text.ts";

/** Which differences in white space to ignore; of the options set, the first applies. */
export interface WhitespaceOptions {
  /** `-w`: ignores all whitespace. */
  readonly ignoreAllSpace?: boolean;
  /** `-b`: treats runs of whitespace as equal, and ignores whitespace at the end of a line. */
  readonly ignoreSpaceChange?: boolean;
  /** `--ignore-space-at-eol` */
  readonly ignoreSpaceAtEol?: boolean;
  /** `--ignore-cr-at-eol`: ignores a carriage return before the newline. */
  readonly ignoreCrAtEol?: boolean;
  /** `--ignore-blank-lines`: leaves out changes of only blank lines, unless another change is near. */
  readonly ignoreBlankLines?: boolean;
}

/** Whether different lines may count as equal. */
export function ignoresSpaces(options: WhitespaceOptions): boolean {
  return Boolean(
    options.ignoreAllSpace || options.ignoreSpaceChange || options.ignoreSpaceAtEol || options.ignoreCrAtEol,
  );
}

/**
 * The text reduced to what the options compare: lines that count as equal are equal in the result. Returns the text
 * itself if everything is compared.
 */
export function comparedPart(text: Text, options: WhitespaceOptions): Text {
  if (!ignoresSpaces(options)) return text;
  const reduce = options.ignoreAllSpace
    ? withoutSpaces
    : options.ignoreSpaceChange
      ? withSingleSpaces
      : options.ignoreSpaceAtEol
        ? withoutSpaceAtEnd
        : withoutReturn;
  const data = new Uint8Array(text.data.length);
  const starts = new Int32Array(text.count + 1);
  let at = 0;
  for (let i = 0; i < text.count; i++) {
    at = reduce(text.data, text.starts[i]!, text.starts[i + 1]!, data, at);
    starts[i + 1] = at;
  }
  return Text.ofLines(data, starts, text.count);
}

/** Whether line `i` is blank for `--ignore-blank-lines`: without other white space options, only if it is empty. */
export function isBlankLine(text: Text, i: number, options: WhitespaceOptions): boolean {
  const end = text.starts[i + 1]!;
  let at = text.starts[i]!;
  if (!ignoresSpaces(options)) return end - at <= 1;
  while (at < end && isSpace(text.data[at]!)) at++;
  return at === end;
}

/** Copies the compared part of `from[start..end)` to `to` at `at`; returns where it ends. */
type Reduce = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number) => number;

const withoutSpaces: Reduce = (from, start, end, to, at) => {
  let place = at;
  for (let i = start; i < end; i++) if (!isSpace(from[i]!)) to[place++] = from[i]!;
  return place;
};

const withSingleSpaces: Reduce = (from, start, end, to, at) => {
  let place = at;
  let spaces = false;
  for (let i = start; i < end; i++) {
    const byte = from[i]!;
    if (isSpace(byte)) {
      spaces = true;
      continue;
    }
    if (spaces) to[place++] = 0x20;
    spaces = false;
    to[place++] = byte;
  }
  return place;
};

const withoutSpaceAtEnd: Reduce = (from, start, end, to, at) => {
  let last = end;
  while (last > start && isSpace(from[last - 1]!)) last--;
  return copy(from, start, last, to, at);
};

const withoutReturn: Reduce = (from, start, end, to, at) => {
  let last = end;
  // A last line without a newline keeps its carriage return.
  if (last > start && from[last - 1] === 0x0a) {
    last--;
    if (last > start && from[last - 1] === 0x0d) last--;
  }
  return copy(from, start, last, to, at);
};

function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let place = at;
  for (let i = start; i < end; i++) to[place++] = from[i]!;
  return place;
}
