import { encodeName, toLatin1 } from "./names.ts";

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * A path in a patch, as a latin1 string: `prefix` and the path, in double quotes and with C escapes if it has quotes,
 * backslashes, control characters or, unless `core.quotePath` is false (`ascii` false), bytes beyond ASCII.
 */
export function quotePath(prefix: string, path: string, ascii = true): string {
  if (PLAIN.test(path)) return prefix + path;
  const bytes = toLatin1(encodeName(path));
  const unusual = ascii ? /[\x00-\x1f"\\\x7f-\xff]/g : /[\x00-\x1f"\\\x7f]/g;
  if (bytes.search(unusual) < 0) return prefix + bytes;
  const escaped = bytes.replace(unusual, (character) => {
    const code = character.charCodeAt(0);
    return ESCAPES[code] ?? `\\${code.toString(8).padStart(3, "0")}`;
  });
  return `"${prefix}${escaped}"`;
}

/** Maps the characters after a backslash to the byte they stand for. */
const MEANINGS = new Map(
  Object.entries(ESCAPES).map(([code, escaped]) => [escaped.slice(1), String.fromCharCode(Number(code))]),
);

/**
 * Reads a name in double quotes with C escapes, as git writes unusual paths.
 * @param text one character per byte; anything after the closing quote is not examined
 * @returns the name and how many characters it took; undefined when it is malformed
 */
export function unquotePath(text: string): { text: string; length: number } | undefined {
  if (!text.startsWith('"')) return undefined;
  let found = "";
  for (let at = 1; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') return { text: found, length: at + 1 };
    if (sign !== "\\") {
      found += sign;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const byte =
      octal === undefined ? MEANINGS.get(text[at + 1] ?? "") : String.fromCharCode(Number.parseInt(octal, 8));
    if (byte === undefined) return undefined;
    found += byte;
    at += octal === undefined ? 1 : 3;
  }
  return undefined;
}
