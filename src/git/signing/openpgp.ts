import { createHash, type KeyObject, sign } from "node:crypto";
import {
  Field,
  field,
  finishedSignature,
  number,
  OF_DATA,
  packet,
  signatureHead,
  Tag,
  uint16,
  uint32,
  VERSION,
} from "./openpgp-packets.ts";

/**
 * Signing with an Ed25519 key in OpenPGP (RFC 4880 and RFC 9580, version 4, "EdDSALegacy", which GnuPG 2.2 can read).
 * openpgp.js is asynchronous, but commits are signed synchronously in the middle of a rebase; the tests verify these
 * signatures with openpgp.js and GnuPG.
 *
 *     key        4, time (4 bytes), 22, length and bytes of the curve's identifier, the point as a number
 *     signature  of the algorithm 22 and the hash 10 (SHA-512), with r and s as numbers
 */

export interface OpenpgpKey {
  readonly privateKey: KeyObject;
  /** The public key's 32 bytes. */
  readonly raw: Uint8Array;
  /** Seconds since 1970; part of the key's id. */
  readonly createdAt: number;
}

const EDDSA_LEGACY = 22;
const SHA512 = 10;
/** 1.3.6.1.4.1.11591.15.1 */
const ED25519_OID = Uint8Array.of(0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x0f, 0x01);

const OF_IDENTITY = 0x13;

const CERTIFIES_AND_SIGNS = 0x03;

/** The key's fingerprint as 40 upper-case digits; the last 16 are its id. */
export function openpgpFingerprint(key: Pick<OpenpgpKey, "raw" | "createdAt">): string {
  return createHash("sha1").update(keyMaterial(key)).digest("hex").toUpperCase();
}

/**
 * The public key with its only identity, in binary form. @param identity `Name <mail@example.org>` @param at seconds
 * since 1970
 */
export function openpgpPublicKey(key: OpenpgpKey, identity: string): Uint8Array {
  const name = new TextEncoder().encode(identity);
  const certified = Buffer.concat([keyMaterial(key), Uint8Array.of(0xb4), uint32(name.length), name]);
  const fields = [
    field(Field.flags, Uint8Array.of(CERTIFIES_AND_SIGNS)),
    field(Field.hashes, Uint8Array.of(SHA512, 8)),
  ];
  const certification = signaturePacket(key, OF_IDENTITY, certified, key.createdAt, fields);
  return Buffer.concat([packet(Tag.publicKey, keyBody(key)), packet(Tag.identity, name), certification]);
}

/**
 * @param at seconds since 1970 @returns the armoured signature of the payload, as printed by `gpg --detach-sign
 * --armor`
 */
export function openpgpSignature(key: OpenpgpKey, payload: Uint8Array, at: number): string {
  return armored("SIGNATURE", signaturePacket(key, OF_DATA, payload, at));
}

/** @param kind the words after `PGP` in the first line */
export function armored(kind: "SIGNATURE" | "PUBLIC KEY BLOCK", data: Uint8Array): string {
  const lines =
    Buffer.from(data)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  const sum = Buffer.from([crc24(data) >> 16, (crc24(data) >> 8) & 0xff, crc24(data) & 0xff]).toString("base64");
  return `-----BEGIN PGP ${kind}-----\n\n${lines.join("\n")}\n=${sum}\n-----END PGP ${kind}-----\n`;
}

function signaturePacket(
  key: OpenpgpKey,
  kind: number,
  signed: Uint8Array,
  at: number,
  more: readonly Uint8Array[] = [],
): Uint8Array {
  const fingerprint = Buffer.from(openpgpFingerprint(key), "hex");
  const head = signatureHead({ kind, algorithm: EDDSA_LEGACY, hash: SHA512, fingerprint, at, more });
  const digest = createHash("sha512").update(signed).update(head.signed).digest();
  const signature = sign(null, digest, key.privateKey);
  return finishedSignature(head, digest, [signature.subarray(0, 32), signature.subarray(32)]);
}

/** The key's packet in the form in which it is hashed. */
function keyMaterial(key: Pick<OpenpgpKey, "raw" | "createdAt">): Uint8Array {
  const body = keyBody(key);
  return Buffer.concat([Uint8Array.of(0x99), uint16(body.length), body]);
}

function keyBody({ raw, createdAt }: Pick<OpenpgpKey, "raw" | "createdAt">): Uint8Array {
  const point = number(Buffer.concat([Uint8Array.of(0x40), raw]));
  const head = Buffer.concat([Uint8Array.of(VERSION), uint32(createdAt), Uint8Array.of(EDDSA_LEGACY)]);
  return Buffer.concat([head, Uint8Array.of(ED25519_OID.length), ED25519_OID, point]);
}

/** The checksum of an armour (RFC 9580, section 6.1.1). */
function crc24(data: Uint8Array): number {
  let sum = 0xb704ce;
  for (const byte of data) {
    sum ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) {
      sum <<= 1;
      if (sum & 0x1000000) sum ^= 0x1864cfb;
    }
  }
  return sum & 0xffffff;
}
