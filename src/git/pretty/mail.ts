import { wrapText } from "./wrap.ts";

/** Header lines of mails as git writes them (RFC 822 and 2047). */

const WORD_COLUMNS = 76;
const LINE_COLUMNS = 78;
const WORD_START = "=?UTF-8?q?";

/** `From: Name <address>` */
export function fromLine(name: string, email: string): string {
  const start = "From: ";
  let line: string;
  let max = LINE_COLUMNS;
  if (needsEncodedWords(name)) {
    line = start + encodedWords(name, start.length, true);
    max = WORD_COLUMNS;
  } else {
    const quoted = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
    line = start + wrapText(quoted, -start.length, 1, max);
  }
  const isLong = max < lastLineLength(line) + " <".length + Buffer.byteLength(email) + ">".length;
  return `${line}${isLong ? "\n" : ""} <${email}>\n`;
}

/** `Subject: [PATCH] title` */
export function subjectLine(title: string, prefix = "[PATCH] "): string {
  const start = `Subject: ${prefix}`;
  const text = needsEncodedWords(title)
    ? encodedWords(title, start.length, false)
    : wrapText(title, -start.length, 1, LINE_COLUMNS);
  return `${start}${text}\n`;
}

/** Whether the text has anything that is not ASCII. */
export function isBeyondAscii(text: string): boolean {
  return /[^\x00-\x1a\x1c-\x7f]/.test(text);
}

function lastLineLength(text: string): number {
  return Buffer.byteLength(text.slice(text.lastIndexOf("\n") + 1));
}

function needsEncodedWords(text: string): boolean {
  return isBeyondAscii(text) || text.includes("\n") || text.includes("=?");
}

/** @param column number of columns of the line already used */
function encodedWords(text: string, column: number, isAddress: boolean): string {
  let out = WORD_START;
  let length = column + WORD_START.length;
  for (const character of text) {
    const bytes = bytesOf(character);
    const isPlain = bytes.length === 1 && isPlainByte(bytes[0]!, isAddress);
    const encoded = isPlain
      ? character
      : bytes.map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
    if (length + encoded.length + 2 > WORD_COLUMNS) {
      out += `?=\n ${WORD_START}`;
      length = WORD_START.length + 1;
    }
    out += encoded;
    length += encoded.length;
  }
  return `${out}?=`;
}

function bytesOf(character: string): number[] {
  const code = character.codePointAt(0)!;
  return code >= 0xdc80 && code <= 0xdcff ? [code - 0xdc00] : [...Buffer.from(character, "utf8")];
}

/** RFC 2047, section 5, rule 3 for names; titles allow more. A space is always encoded. */
function isPlainByte(byte: number, isAddress: boolean): boolean {
  if (byte <= 0x20 || byte >= 0x7f) return false;
  const character = String.fromCharCode(byte);
  return isAddress ? /[A-Za-z0-9!*+/-]/.test(character) : !/[=?_]/.test(character);
}
