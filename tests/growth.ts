import { expect } from "bun:test";

/**
 * How time grows with size: what a slow or loaded machine leaves as it is. Both are computing time of this thread, the
 * better of three runs; what grows too fast is measured again, as a machine's hiccup does not come three times.
 */

/** A quadratic rule takes sixteen times as long for four times as much, a linear one four times. */
const MAX_GROWTH = 9;
/** What is over so soon says nothing: compiling and collecting garbage weigh more. */
const NEGLIGIBLE_MS = 40;
const ATTEMPTS = 3;

/** Milliseconds that this thread has computed so far: what else the machine does is not in it, as it is on the wall. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest that this thread did nothing else while `work` went on. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadMs();
  const look = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const tick = setInterval(look, 2);
  await work();
  look();
  clearInterval(tick);
  return longest;
}

function computingMs(run: () => void): number {
  const before = threadMs();
  run();
  return threadMs() - before;
}

/** Expects that four times the size costs about four times the time. @param run does it once, at that size */
export function expectLinear(size: number, run: (size: number) => void): void {
  const best = (n: number) => Math.min(...Array.from({ length: 3 }, () => computingMs(() => run(n))));
  let growth = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const small = best(size);
    const large = best(4 * size);
    growth = large > NEGLIGIBLE_MS ? large / small : 0;
    if (growth < MAX_GROWTH) return;
  }
  expect(growth).toBeLessThan(MAX_GROWTH);
}
