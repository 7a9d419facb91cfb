/** Computes for `ms` milliseconds without reacting to anything, like a runaway grammar: for tests of deadlines. */
export function run({ ms }: { ms: number }): { rounds: number } {
  let rounds = 0;
  for (const end = performance.now() + ms; performance.now() < end; ) rounds++;
  return { rounds };
}
