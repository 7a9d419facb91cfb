// Avoids node:crypto, which adds ten milliseconds to every start and loads Node's streams.

/** Random bytes from the system's generator. */
export function randomBytes(count: number): Buffer<ArrayBuffer> {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(count)).buffer);
}

/** `bytes` random bytes from the system's generator, as lower-case hexadecimal. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

export function sha256Hex(text: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** HMAC-SHA-256 (RFC 2104) of a text or of bytes. */
export function hmacSha256(
  key: string | Uint8Array,
  message: string | Uint8Array,
  encoding: "hex" | "base64" | "base64url",
): string {
  return new Bun.CryptoHasher("sha256", key).update(message).digest(encoding);
}

/** Compares two secrets in time that depends only on their lengths. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && crypto.timingSafeEqual(left, right);
}
