/**
 * Prefix codes for deflate (RFC 1951, section 3.2.2), built as zlib builds them: among the many codes of equal cost it
 * always finds the same one, and so must we.
 */

/** Codes of an alphabet: bit lengths, and bits with the first to be written lowest. */
export interface Codes {
  readonly lengths: Uint8Array;
  readonly bits: Uint16Array;
  /** The highest symbol that is used. */
  readonly maxCode: number;
  /** Bits all symbols take, without what follows them. */
  readonly totalBits: number;
}

const MAX_BITS = 15;

/**
 * @param counts how often each symbol is used; at least two are given a code in any case
 * @param longest bits of a code at most
 */
export function codesOf(counts: Int32Array, longest: number): Codes {
  const symbols = counts.length;
  const frequencies = new Int32Array(symbols * 2 + 1);
  frequencies.set(counts);
  const parents = new Int32Array(symbols * 2 + 1);
  const depths = new Uint8Array(symbols * 2 + 1);
  const lengths = new Uint8Array(symbols * 2 + 1);
  const heap: number[] = [];
  let maxCode = -1;
  for (let symbol = 0; symbol < symbols; symbol++) {
    if (counts[symbol] === 0) continue;
    heap.push(symbol);
    maxCode = symbol;
  }
  while (heap.length < 2) {
    const symbol = maxCode < 2 ? ++maxCode : 0;
    heap.push(symbol);
    frequencies[symbol] = 1;
  }
  const before = (a: number, b: number) =>
    frequencies[a]! < frequencies[b]! || (frequencies[a] === frequencies[b] && depths[a]! <= depths[b]!);
  const sink = (from: number) => {
    const node = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (before(node, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = node;
  };
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(i);
  // Nodes from the root down, that is in the reverse of the order in which they leave the heap.
  const leaving: number[] = [];
  let next = symbols;
  while (heap.length > 1) {
    const least = heap[0]!;
    heap[0] = heap.at(-1)!;
    heap.pop();
    sink(0);
    const second = heap[0]!;
    leaving.push(least, second);
    frequencies[next] = frequencies[least]! + frequencies[second]!;
    depths[next] = Math.max(depths[least]!, depths[second]!) + 1;
    parents[least] = next;
    parents[second] = next;
    heap[0] = next++;
    sink(0);
  }
  leaving.push(heap[0]!);
  setLengths(leaving.reverse(), parents, lengths, maxCode, longest);
  let totalBits = 0;
  for (let symbol = 0; symbol < symbols; symbol++) totalBits += counts[symbol]! * lengths[symbol]!;
  const own = lengths.slice(0, symbols);
  return { lengths: own, bits: bitsOf(own), maxCode, totalBits };
}

/** Depths in the tree become lengths; where they exceed `longest`, shorter leaves move down to make room. */
function setLengths(
  fromRoot: readonly number[],
  parents: Int32Array,
  lengths: Uint8Array,
  maxCode: number,
  longest: number,
): void {
  const perLength = new Int32Array(MAX_BITS + 1);
  let overflow = 0;
  lengths[fromRoot[0]!] = 0;
  const symbols = (lengths.length - 1) / 2;
  for (const node of fromRoot.slice(1)) {
    let length = lengths[parents[node]!]! + 1;
    if (length > longest) {
      length = longest;
      overflow++;
    }
    lengths[node] = length;
    if (node <= maxCode && node < symbols) perLength[length]!++;
  }
  if (overflow === 0) return;
  for (; overflow > 0; overflow -= 2) {
    let length = longest - 1;
    while (perLength[length] === 0) length--;
    perLength[length]!--;
    perLength[length + 1]! += 2;
    perLength[longest]!--;
  }
  // The rarest get the longest codes.
  let at = fromRoot.length;
  for (let length = longest; length > 0; length--) {
    for (let left = perLength[length]!; left > 0; ) {
      const node = fromRoot[--at]!;
      if (node > maxCode) continue;
      lengths[node] = length;
      left--;
    }
  }
}

/** Canonical codes for lengths (RFC 1951, section 3.2.2). */
export function bitsOf(lengths: Uint8Array): Uint16Array {
  const perLength = new Int32Array(MAX_BITS + 1);
  for (const length of lengths) if (length > 0) perLength[length]!++;
  const next = new Int32Array(MAX_BITS + 1);
  let code = 0;
  for (let length = 1; length <= MAX_BITS; length++) {
    code = (code + perLength[length - 1]!) << 1;
    next[length] = code;
  }
  const bits = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length > 0) bits[symbol] = reversed(next[length]!++, length);
  }
  return bits;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let i = 0; i < length; i++) result |= ((code >> i) & 1) << (length - 1 - i);
  return result;
}
