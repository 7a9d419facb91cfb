import { constants, createPrivateKey, type KeyObject, privateEncrypt } from "node:crypto";
import type { PrivateKey } from "openpgp";
import { finishedSignature, OF_DATA, signatureHead } from "../git/signing/openpgp-packets.ts";

/** Signs files of any size with OpenPGP RSA signatures (RFC 9580): openpgp.js reads the data it signs into memory. */

const RSA = 1;
const SHA256 = 8;
/** The DigestInfo prefix that PKCS#1 v1.5 puts before a SHA-256 digest. */
const SHA256_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** @returns a detached signature in binary form */
export async function signFile(key: PrivateKey, file: Blob, at: Date): Promise<Uint8Array> {
  const head = signatureHead({
    kind: OF_DATA,
    algorithm: RSA,
    hash: SHA256,
    fingerprint: Buffer.from(key.getFingerprint(), "hex"),
    at: Math.floor(at.getTime() / 1000),
  });
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of file.stream()) hasher.update(chunk);
  const digest = hasher.update(head.signed).digest();
  const padding = constants.RSA_PKCS1_PADDING;
  const signature = privateEncrypt({ key: rsaKeyOf(key), padding }, Buffer.concat([SHA256_INFO, digest]));
  return finishedSignature(head, digest, [signature]);
}

function rsaKeyOf({ keyPacket }: PrivateKey): KeyObject {
  const secret = "privateParams" in keyPacket ? keyPacket.privateParams : undefined;
  const { d, e, n, p, q, u } = { ...keyPacket.publicParams, ...secret } as Record<string, Uint8Array>;
  const modulo = (prime: Uint8Array | undefined) => bytesOf(bigOf(d) % (bigOf(prime) - 1n));
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("base64url");
  // OpenPGP stores the inverse of the first prime, JWK that of the second.
  const jwk = { kty: "RSA", n: text(n), e: text(e), d: text(d), p: text(q), q: text(p), qi: text(u) };
  return createPrivateKey({ key: { ...jwk, dp: text(modulo(q)), dq: text(modulo(p)) }, format: "jwk" });
}

const bigOf = (bytes: Uint8Array | undefined) => BigInt(`0x${Buffer.from(bytes ?? [0]).toString("hex")}`);

function bytesOf(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}
