import { readdirSync } from "node:fs";
import { join } from "node:path";
import { replacedPacks } from "./replaced.ts";

/** Fewer packs and loose objects than these are left alone: looking through them costs nothing yet. */
const MANY_PACKS = 24;
const MANY_LOOSE = 1_000;

/** Whether the bare repository `repoDir` has so many packs or loose objects that a geometric repack pays. */
export function isCrowded(repoDir: string): boolean {
  return isCrowdedBeside(repoDir, 0);
}

/** The same, not counting so many loose objects, which are about to go. */
export function isCrowdedBeside(repoDir: string, looseGoing: number): boolean {
  const objectsDir = join(repoDir, "objects");
  const packs = readdirSync(join(objectsDir, "pack")).filter((name) => name.endsWith(".pack")).length;
  return packs - replacedPacks(repoDir).size >= MANY_PACKS || countLoose(objectsDir) - looseGoing >= MANY_LOOSE;
}

/** Loose objects, as git gc guesses them: ids are spread evenly, so a few directories of 256 tell enough. */
function countLoose(objectsDir: string): number {
  const directories = readdirSync(objectsDir).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const sample = directories.slice(0, 16);
  const found = sample.reduce((sum, name) => sum + readdirSync(join(objectsDir, name)).length, 0);
  return sample.length === 0 ? 0 : Math.round((found * directories.length) / sample.length);
}
