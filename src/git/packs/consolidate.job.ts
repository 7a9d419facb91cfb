import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { JobContext } from "../../workers/job.ts";
import { type Consolidated, consolidate } from "./consolidate.ts";

/** Fewer packs and loose objects than these are left alone: looking through them costs nothing yet. */
const MANY_PACKS = 24;
const MANY_LOOSE = 1_000;

/** Rolls up small packs and loose objects when there are many; undefined when there was nothing to do. */
export function run(input: { repoDir: string }, context: JobContext): Consolidated | undefined {
  const objectsDir = join(input.repoDir, "objects");
  const packs = readdirSync(join(objectsDir, "pack")).filter((name) => name.endsWith(".pack")).length;
  if (packs < MANY_PACKS && countLoose(objectsDir) < MANY_LOOSE) return undefined;
  return consolidate(input.repoDir, { signal: context.signal });
}

/** Loose objects, as git gc guesses them: ids are spread evenly, so one folder of 256 tells enough. */
function countLoose(objectsDir: string): number {
  const folders = readdirSync(objectsDir).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const sample = folders.slice(0, 16);
  const found = sample.reduce((sum, name) => sum + readdirSync(join(objectsDir, name)).length, 0);
  return sample.length === 0 ? 0 : Math.round((found * folders.length) / sample.length);
}
