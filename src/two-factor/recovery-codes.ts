import { equalSecrets, randomBytes, randomHex, sha256Hex } from "../kernel/ids.ts";

/** Without letters and digits that look alike (contract identity.md 5.7). */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 10;
const COUNT = 8;

/** `salt:hash`, both in hexadecimal. */
export type RecoveryHash = string;

/** Fresh codes of 50 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(""),
  );
}

/** Salted, and sealed where it is stored: 50 random bits behind a key outside the database need no slow hash. */
export function hashOf(code: string, salt = randomHex(16)): RecoveryHash {
  return `${salt}:${sha256Hex(`${salt}:${code}`)}`;
}

/**
 * The other hashes if one matches the code; undefined if none does. All are compared, so that timing reveals nothing.
 */
export function withoutCode(hashes: readonly RecoveryHash[], code: string): RecoveryHash[] | undefined {
  const others = hashes.filter((hash) => !equalSecrets(hash, hashOf(code, hash.split(":")[0])));
  return others.length < hashes.length ? others : undefined;
}

/** Normalizes what a person types. */
export const tidyRecoveryCode = (typed: string) => typed.replace(/[\s-]/g, "").toUpperCase().slice(0, 20);
