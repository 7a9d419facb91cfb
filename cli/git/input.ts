import { decodeName } from "../../src/git/objects/names.ts";

/** Everything that comes. */
export async function wholeOf(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A line, or what another byte ends. */
export interface InputRecord {
  /** Without its end; bytes that are no UTF-8 as `decodeName` gives them. */
  readonly text: string;
  /** False for what the input breaks off with. */
  readonly isEnded: boolean;
}

/** What comes, record by record, as soon as each is whole; `end` is the byte that ends one. */
export async function* recordsOf(input: AsyncIterable<Uint8Array>, end = 0x0a): AsyncGenerator<InputRecord> {
  let left: Uint8Array = new Uint8Array(0);
  for await (const piece of input) {
    left = left.length === 0 ? piece : Buffer.concat([left, piece]);
    let start = 0;
    for (let at = left.indexOf(end); at >= 0; at = left.indexOf(end, start)) {
      yield { text: decodeName(left, start, at), isEnded: true };
      start = at + 1;
    }
    left = left.subarray(start);
  }
  if (left.length > 0) yield { text: decodeName(left), isEnded: false };
}

/** What C reads of a text: up to its first NUL. */
export function upToNul(text: string): string {
  const nul = text.indexOf("\0");
  return nul < 0 ? text : text.slice(0, nul);
}

/** The same without their ends. */
export async function* linesOf(input: AsyncIterable<Uint8Array>, end = 0x0a): AsyncGenerator<string> {
  for await (const { text } of recordsOf(input, end)) yield text;
}
