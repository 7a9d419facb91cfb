const PAUSE_MS = 5;
/** Long enough for the slowest machine: what has not come to pass by then never will. */
const MAX_WAIT_MS = 120_000;

/** Asks again and again until there is an answer. @throws Error there never was one */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + MAX_WAIT_MS; ; await Bun.sleep(PAUSE_MS)) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error("it did not come to pass");
  }
}

/** Waits until something is so. @throws Error it never was */
export async function untilHolds(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => ((await holds()) ? true : undefined));
}
