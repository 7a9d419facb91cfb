import { trimEndOf } from "../../git/text-ends.ts";

/** A log row as its runner sends it. */
export interface LogRow {
  /** Seconds since 1970, and the fraction in nanoseconds. */
  readonly seconds: number;
  readonly nanos: number;
  readonly text: string;
}

/** A log row as shown. */
export interface LogLine {
  /** Counted from 0. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

const MAX_TEXT_BYTES = 64 << 10;
/** `2026-01-02T03:04:05.0000000Z ` */
const TIME_LENGTH = 29;
/** The latest time that RFC 3339 can express. */
const MAX_SECONDS = 253_402_300_799;

/** The row as it is stored: always one line (contract actions.md 5.3). */
export function lineOf({ nanos, seconds, text }: LogRow): string {
  const whole = new Date(Math.min(Math.max(seconds, 0), MAX_SECONDS) * 1000).toISOString().slice(0, 19);
  const fraction = String(Math.floor(Math.min(Math.max(nanos, 0), 999_999_999) / 100)).padStart(7, "0");
  return `${whole}.${fraction}Z ${shortened(oneLine(text))}\n`;
}

/** @param line without its line ending */
export function readLine(line: string, index: number): LogLine {
  return { index, at: Date.parse(`${line.slice(0, 23)}Z`), text: line.slice(TIME_LENGTH) };
}

const oneLine = (text: string) =>
  /[\r\n]/.test(text)
    ? trimEndOf(text, "\r").replaceAll("\r\n", "\\n").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;

function shortened(text: string): string {
  if (text.length <= MAX_TEXT_BYTES / 3) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TEXT_BYTES) return text;
  let end = MAX_TEXT_BYTES;
  // Do not cut within a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
