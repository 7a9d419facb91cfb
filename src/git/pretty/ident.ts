/**
 * The signature line of a commit or tag, split as git does for display, even when malformed:
 *
 *     name <address> seconds-since-1970 zone
 *
 * The address ends at the first `>`, the date begins after the last one. White space is git's: space, tab, CR and LF.
 */
export interface Ident {
  readonly name: string;
  readonly email: string;
  /** The digits as written; undefined, as is `zone`, when any part of the date is malformed. */
  readonly date?: string;
  /** Hours times 100 plus minutes, signed, as written: `-0330` is -330. */
  readonly zone?: number;
}

const LINE = /^([^<]*)<([^>]*)>/;
const DATE = /^[ \t\r\n]*([0-9]+)[ \t\r\n]*([+-][0-9]+)/;
const LARGEST_ZONE = 2 ** 31;

/** Splits a signature line without its keyword; undefined when it has no address. */
export function splitIdent(line: string): Ident | undefined {
  const parts = LINE.exec(line);
  if (!parts) return undefined;
  const name = trimEnd(parts[1]!);
  const email = parts[2]!;
  const date = DATE.exec(line.slice(line.lastIndexOf(">") + 1));
  if (!date) return { name, email };
  const zone = Number(date[2]);
  return { name, email, date: date[1]!, zone: Math.abs(zone) < LARGEST_ZONE ? zone : 0 };
}

/** Removes trailing white space. A loop, because a regular expression would take quadratic time on a line of spaces. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b && code !== 0x0c);
}
