import { readdirSync } from "node:fs";
import { join } from "node:path";
import { replacedPacks } from "./replaced.ts";

/** Below these counts no repack is needed: searching so few packs and loose objects is cheap. */
const MANY_PACKS = 24;
const MANY_LOOSE = 1_000;

/** Whether the bare repository `repoDir` has enough packs or loose objects for a geometric repack to pay off. */
export function isCrowded(repoDir: string): boolean {
  return isCrowdedBeside(repoDir, 0);
}

/** As `isCrowded`, not counting `looseGoing` loose objects that are about to be removed. */
export function isCrowdedBeside(repoDir: string, looseGoing: number): boolean {
  const objectsDir = join(repoDir, "objects");
  const packs = readdirSync(join(objectsDir, "pack")).filter((name) => name.endsWith(".pack")).length;
  return packs - replacedPacks(repoDir).size >= MANY_PACKS || countLoose(objectsDir) - looseGoing >= MANY_LOOSE;
}

/** Estimates the number of loose objects as git gc does: ids are evenly distributed, so a sample suffices. */
function countLoose(objectsDir: string): number {
  const directories = readdirSync(objectsDir).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const sample = directories.slice(0, 16);
  const found = sample.reduce((sum, name) => sum + readdirSync(join(objectsDir, name)).length, 0);
  return sample.length === 0 ? 0 : Math.round((found * directories.length) / sample.length);
}
