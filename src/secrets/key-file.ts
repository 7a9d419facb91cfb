import { existsSync, readFileSync } from "node:fs";
import { replaceFile } from "../git/durable.ts";
import { randomHex } from "../kernel/ids.ts";

/** `secret.key` cannot be used. It is never overwritten: everything sealed with it would be lost. */
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
 * Reads the keys in `secret.key`, one per line of 64 hexadecimal digits: the first one seals, all of them open. There
 * are several only during a rotation.
 * @param options.mayMake create the file if missing: only with a new data folder, before anything was sealed
 * @throws KeyFileDamaged
 */
export function readKeys(path: string, { mayMake = false } = {}): readonly string[] {
  if (!existsSync(path)) {
    if (!mayMake) throw new KeyFileDamaged(path, true);
    // Written durably and atomically: a key truncated by a power cut would sign with nothing.
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
