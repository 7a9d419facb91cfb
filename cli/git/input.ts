/** Everything that comes. */
export async function wholeOf(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** What comes, in lines without their ends; `end` is the byte that ends one. */
export async function* linesOf(input: AsyncIterable<Uint8Array>, end = 0x0a): AsyncGenerator<string> {
  let left = Buffer.alloc(0);
  for await (const piece of input) {
    left = Buffer.concat([left, piece]);
    let start = 0;
    for (let at = left.indexOf(end); at >= 0; at = left.indexOf(end, start)) {
      yield left.toString("utf8", start, at);
      start = at + 1;
    }
    left = left.subarray(start);
  }
  if (left.length > 0) yield left.toString("utf8");
}
