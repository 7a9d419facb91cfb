import { expect } from "bun:test";

/**
 * How time grows with size: what a slow or loaded machine leaves as it is. Both are computing time of this process, the
 * better of three runs.
 */

/** A quadratic rule takes sixteen times as long for four times as much, a linear one four times. */
const MAX_GROWTH = 9;
/** What is over so soon says nothing: compiling and collecting garbage weigh more. */
const NEGLIGIBLE_MS = 40;

function computingMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Expects that four times the size costs about four times the time. @param run does it once, at that size */
export function expectLinear(size: number, run: (size: number) => void): void {
  const best = (n: number) => Math.min(...Array.from({ length: 3 }, () => computingMs(() => run(n))));
  const [small, large] = [best(size), best(4 * size)];
  if (large > NEGLIGIBLE_MS) expect(large / small).toBeLessThan(MAX_GROWTH);
}
