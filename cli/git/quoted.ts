import { decodeName } from "../../src/git/objects/names.ts";

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A path in double quotes with C escapes, as git prints it; undefined when the quotes are malformed. */
export function unquotePath(text: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const bytes: number[] = [];
  for (const [part, octal, letter] of inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter === undefined) bytes.push(...Buffer.from(part));
    else {
      const code = ESCAPES[letter];
      if (code === undefined) return undefined;
      bytes.push(code);
    }
  }
  return decodeName(Uint8Array.from(bytes));
}
