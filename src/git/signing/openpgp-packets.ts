/**
 * OpenPGP packets (RFC 9580), version 4:
 *
 *     packet     tag (0xC0 | number), length, body
 *     signature  4, kind, algorithm, hash, hashed fields, other fields, two bytes of the digest, numbers
 *     signed     the data, the signature up to the hashed fields, 4, FF, length of that part
 */

export const VERSION = 4;
/** The type of a signature over bytes. */
export const OF_DATA = 0x00;

export const Tag = { signature: 2, publicKey: 6, identity: 13 } as const;
/** RFC 9580, section 5.2.3.7 */
export const Field = { createdAt: 2, hashes: 21, issuer: 16, flags: 27, issuerFingerprint: 33 } as const;

export interface SignatureForm {
  readonly kind: number;
  readonly algorithm: number;
  readonly hash: number;
  /** The key's fingerprint. */
  readonly fingerprint: Uint8Array;
  /** Seconds since 1970. */
  readonly at: number;
  /** Other hashed fields. */
  readonly more?: readonly Uint8Array[];
}

/** The beginning of a signature packet. */
export interface SignatureHead extends SignatureForm {
  readonly bytes: Uint8Array;
  /** The bytes to be signed after the data. */
  readonly signed: Uint8Array;
}

export function signatureHead(form: SignatureForm): SignatureHead {
  const { algorithm, at, fingerprint, hash, kind, more = [] } = form;
  const hashed = Buffer.concat([
    field(Field.createdAt, uint32(at)),
    field(Field.issuerFingerprint, Buffer.concat([Uint8Array.of(VERSION), fingerprint])),
    ...more,
  ]);
  const bytes = Buffer.concat([Uint8Array.of(VERSION, kind, algorithm, hash), uint16(hashed.length), hashed]);
  return { ...form, bytes, signed: Buffer.concat([bytes, Uint8Array.of(VERSION, 0xff), uint32(bytes.length)]) };
}

/** @param digest of the data and the `signed` bytes after it @param numbers the algorithm's */
export function finishedSignature(
  { bytes, fingerprint }: SignatureHead,
  digest: Uint8Array,
  numbers: readonly Uint8Array[],
): Uint8Array {
  const other = field(Field.issuer, fingerprint.subarray(-8));
  const body = [bytes, uint16(other.length), other, digest.subarray(0, 2), ...numbers.map(number)];
  return packet(Tag.signature, Buffer.concat(body));
}

export function packet(tag: number, body: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(0xc0 | tag), lengthOf(body.length), body]);
}

export function field(kind: number, body: Uint8Array): Uint8Array {
  return Buffer.concat([lengthOf(body.length + 1), Uint8Array.of(kind), body]);
}

/** One byte or two (RFC 9580, section 4.2.1); nothing longer occurs here. */
function lengthOf(bytes: number): Uint8Array {
  if (bytes < 192) return Uint8Array.of(bytes);
  if (bytes < 8384) return Uint8Array.of(((bytes - 192) >> 8) + 192, (bytes - 192) & 0xff);
  throw new RangeError("an identity that long does not fit into a key");
}

/** A positive number preceded by its length in bits. */
export function number(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? new Uint8Array(0) : bytes.subarray(start);
  const bits = digits.length === 0 ? 0 : digits.length * 8 - (Math.clz32(digits[0] ?? 0) - 24);
  return Buffer.concat([uint16(bits), digits]);
}

export function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

export function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
