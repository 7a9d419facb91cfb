import { constants, createPrivateKey, type KeyObject, privateEncrypt } from "node:crypto";
import type { PrivateKey } from "openpgp";

/**
 * Signs files of any size as OpenPGP does with RSA (RFC 9580, section 5.2, version 4): openpgp.js reads what it signs into memory.
 *
 *     packet  C2, length (FF and 4 bytes), body
 *     body    4, kind, 1 (RSA), 8 (SHA-256), hashed fields, other fields, two bytes of the digest, signature as a number
 *     signed  the file, the body up to the hashed fields, 4, FF, length of that part of the body
 */

const SIGNATURE_TAG = 0xc2;
const VERSION = 4;
const OF_DATA = 0;
const RSA = 1;
const SHA256 = 8;
const Field = { createdAt: 2, issuer: 16, issuerFingerprint: 33 } as const;
/** What PKCS#1 v1.5 puts before a digest of SHA-256. */
const SHA256_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** @returns a detached signature in binary form */
export async function signFile(key: PrivateKey, file: Blob, at: Date): Promise<Uint8Array> {
  const fingerprint = Buffer.from(key.getFingerprint(), "hex");
  const hashed = Buffer.concat([
    field(Field.createdAt, uint32(Math.floor(at.getTime() / 1000))),
    field(Field.issuerFingerprint, Buffer.from([VERSION]), fingerprint),
  ]);
  const other = field(Field.issuer, fingerprint.subarray(-8));
  const head = Buffer.concat([Buffer.from([VERSION, OF_DATA, RSA, SHA256]), uint16(hashed.length), hashed]);
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of file.stream()) hasher.update(chunk);
  const digest = hasher
    .update(head)
    .update(Buffer.from([VERSION, 0xff]))
    .update(uint32(head.length))
    .digest();
  const padding = constants.RSA_PKCS1_PADDING;
  const signature = privateEncrypt({ key: rsaKeyOf(key), padding }, Buffer.concat([SHA256_INFO, digest]));
  const body = Buffer.concat([head, uint16(other.length), other, digest.subarray(0, 2), number(signature)]);
  return Buffer.concat([Buffer.from([SIGNATURE_TAG, 0xff]), uint32(body.length), body]);
}

function rsaKeyOf({ keyPacket }: PrivateKey): KeyObject {
  const secret = "privateParams" in keyPacket ? keyPacket.privateParams : undefined;
  const { d, e, n, p, q, u } = { ...keyPacket.publicParams, ...secret } as Record<string, Uint8Array>;
  const modulo = (prime: Uint8Array | undefined) => bytesOf(bigOf(d) % (bigOf(prime) - 1n));
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("base64url");
  // OpenPGP has the inverse of the first prime, JWK of the second.
  const jwk = { kty: "RSA", n: text(n), e: text(e), d: text(d), p: text(q), q: text(p), qi: text(u) };
  return createPrivateKey({ key: { ...jwk, dp: text(modulo(q)), dq: text(modulo(p)) }, format: "jwk" });
}

const bigOf = (bytes: Uint8Array | undefined) => BigInt(`0x${Buffer.from(bytes ?? [0]).toString("hex")}`);

function bytesOf(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

/** With its length in bits, which leading zeros do not count in. */
function number(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const rest = bytes.subarray(first);
  return Buffer.concat([uint16(rest.length * 8 - Math.clz32(rest[0] ?? 0) + 24), rest]);
}

function field(kind: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from([kind]), ...content]);
  return Buffer.concat([Buffer.from([body.length]), body]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
