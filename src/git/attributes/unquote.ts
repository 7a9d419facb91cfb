const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  '"': '"',
  "\\": "\\",
};

/**
 * Reads a name in double quotes with C escapes, as git writes unusual paths.
 * @param text one character a byte; what follows the closing quote is not looked at
 * @returns the name and how much of the text it took; undefined when it is malformed
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
    const byte = octal === undefined ? ESCAPES[text[at + 1] ?? ""] : String.fromCharCode(Number.parseInt(octal, 8));
    if (byte === undefined) return undefined;
    found += byte;
    at += octal === undefined ? 1 : 3;
  }
  return undefined;
}
