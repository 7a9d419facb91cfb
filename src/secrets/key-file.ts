import { existsSync, readFileSync } from "node:fs";
import { replaceFile } from "../git/durable.ts";
import { randomHex } from "../kernel/ids.ts";

/** `secret.key` cannot be used. Nothing is written over it: what it opens would be lost. */
export class KeyFileDamaged extends Error {
  override name = "KeyFileDamaged";

  constructor(
    readonly path: string,
    readonly isMissing: boolean,
  ) {
    super(`${path} ${isMissing ? "is missing" : "does not hold a key"}: put back the one of your last backup`);
  }
}

/**
 * The keys in `secret.key`, one a line of 64 hexadecimal digits: the first seals, all of them open. There are several only
 * while they are being rotated.
 * @param options.mayMake it is made where there is none: with the data folder, before anything was sealed
 * @throws KeyFileDamaged
 */
export function readKeys(path: string, { mayMake = false } = {}): readonly string[] {
  if (!existsSync(path)) {
    if (!mayMake) throw new KeyFileDamaged(path, true);
    // Whole and durable, or not there: a key that a power cut emptied would sign with nothing.
    writeKeys(path, [newKey()]);
  }
  const keys = readFileSync(path, "utf8").trim().split(/\s+/);
  if (!keys.every((key) => /^[0-9a-f]{64}$/.test(key))) throw new KeyFileDamaged(path, false);
  return keys;
}

export function writeKeys(path: string, keys: readonly string[]): void {
  replaceFile(path, new TextEncoder().encode(`${keys.join("\n")}\n`), 0o600);
}

export const newKey = (): string => randomHex(32);
