import { expect, test } from "bun:test";
import { BadPack } from "../../../src/git/errors.ts";
import { TreeDepth } from "../../../src/git/receive/tree-depth.ts";
import { newSeed, random } from "../../random.ts";

/** Trees that hold trees of higher numbers; some of those are not in the pack. */
function randomTrees(below: (limit: number) => number): Map<number, number[]> {
  const count = 1 + below(60);
  const trees = new Map<number, number[]>();
  for (let slot = 0; slot < count; slot++) {
    if (below(8) === 0) continue;
    const subtrees: number[] = [];
    for (let left = below(4); left > 0; left--) {
      const child = slot + 1 + below(6);
      if (!subtrees.includes(child)) subtrees.push(child);
    }
    trees.set(slot, subtrees);
  }
  return trees;
}

function deepest(trees: ReadonlyMap<number, readonly number[]>): number {
  const heights = new Map<number, number>();
  for (const [slot, subtrees] of [...trees].sort(([a], [b]) => b - a))
    heights.set(slot, 1 + Math.max(0, ...subtrees.map((child) => heights.get(child) ?? 0)));
  return Math.max(0, ...heights.values());
}

test("how deep trees nest is found in whatever order they come, and whether their links are kept or read again", () => {
  const next = random(newSeed());
  const below = (limit: number) => Math.floor(next() * limit);
  for (let round = 0; round < 3_000; round++) {
    const trees = randomTrees(below);
    const depth = new TreeDepth(below(3) === 0 ? below(20) : undefined);
    const order = [...trees.keys()].sort(() => below(3) - 1);
    for (const slot of order) {
      depth.begin(slot);
      for (const child of trees.get(slot)!) depth.note(child);
    }
    const limit = below(2) === 0 ? deepest(trees) : below(12);
    const check = () => depth.check(limit, (slot) => Uint32Array.from(trees.get(slot)!));
    if (deepest(trees) > limit) expect(check).toThrow(BadPack);
    else check();
  }
});
