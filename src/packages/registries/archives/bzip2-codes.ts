/** Some programs cannot decode longer ones. */
const MAX_CODE_BITS = 17;

/** The Huffman code length in bits of each symbol, from its frequency. */
export function codeLengths(counts: readonly number[]): number[] {
  let weights = counts.map((count) => Math.max(1, count));
  for (;;) {
    const lengths = treeDepths(weights);
    if (Math.max(...lengths) <= MAX_CODE_BITS) return lengths;
    weights = weights.map((weight) => 1 + (weight >> 1));
  }
}

/** The depth of each leaf in the tree built by repeatedly joining the two lightest nodes. */
function treeDepths(weights: readonly number[]): number[] {
  interface Node {
    readonly weight: number;
    readonly leaves: readonly number[];
  }
  const depths = weights.map(() => 0);
  const nodes: Node[] = weights.map((weight, leaf) => ({ weight, leaves: [leaf] }));
  while (nodes.length > 1) {
    nodes.sort((a, b) => b.weight - a.weight);
    const pair = nodes.splice(-2);
    const leaves = pair.flatMap((node) => node.leaves);
    for (const leaf of leaves) depths[leaf] = (depths[leaf] ?? 0) + 1;
    nodes.push({ weight: pair.reduce((sum, { weight }) => sum + weight, 0), leaves });
  }
  return depths;
}

/** Canonical codes of those lengths: shorter ones first, equal lengths in symbol order. */
export function codesOf(lengths: readonly number[]): number[] {
  const codes = lengths.map(() => 0);
  let code = 0;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++, code <<= 1)
    for (const [symbol, length] of lengths.entries()) if (length === bits) codes[symbol] = code++;
  return codes;
}
