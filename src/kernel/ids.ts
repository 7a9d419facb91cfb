import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** `bytes` random bytes from the system's generator, as lower-case hexadecimal. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

export function sha256Hex(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Compares two secrets in time that depends on their lengths only. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
