/** Computes for so long and hears nothing meanwhile, as a grammar does that goes wrong: for tests of deadlines. */
export function run({ ms }: { ms: number }): { turns: number } {
  let turns = 0;
  for (const end = performance.now() + ms; performance.now() < end; ) turns++;
  return { turns };
}
