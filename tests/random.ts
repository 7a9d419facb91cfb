/** Repeatable chance for tests that try random things. */

const USUAL_SEED = 20_261_122;

/**
 * The seed of a random test: always the same one, so that what CI says of a commit holds; `HEARTH_SEED=chance`
 * (`bun run soak`) takes a new one each time, `HEARTH_SEED=N` repeats what such a run printed.
 */
export function newSeed(): number {
  const given = process.env["HEARTH_SEED"];
  const seed = given === "chance" ? Math.floor(Math.random() * 2 ** 31) : Number(given ?? USUAL_SEED);
  console.log(`HEARTH_SEED=${seed}`);
  return seed;
}

/** A small generator of repeatable pseudo-random numbers from 0 to below 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
