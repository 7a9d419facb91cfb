import { decodeName } from "../../src/git/objects/names.ts";

/** What C code sees of a text: everything up to the first NUL. */
export function upToNul(text: string): string {
  const nul = text.indexOf("\0");
  return nul < 0 ? text : text.slice(0, nul);
}

/**
 * Yields input lines as soon as each is complete; bytes that are not UTF-8 are decoded as by `decodeName`.
 * @param end the byte that terminates a line
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, end = 0x0a): AsyncGenerator<string> {
  let left: Uint8Array = new Uint8Array(0);
  for await (const piece of input) {
    left = left.length === 0 ? piece : Buffer.concat([left, piece]);
    let start = 0;
    for (let at = left.indexOf(end); at >= 0; at = left.indexOf(end, start)) {
      yield decodeName(left, start, at);
      start = at + 1;
    }
    left = left.subarray(start);
  }
  if (left.length > 0) yield decodeName(left);
}
