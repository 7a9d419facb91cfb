/** Computes for so long and hears nothing meanwhile, as a grammar does that goes wrong: for tests of deadlines. */
export function run({ ms }: { ms: number }): { rounds: number } {
  let rounds = 0;
  for (const end = performance.now() + ms; performance.now() < end; ) rounds++;
  return { rounds };
}
