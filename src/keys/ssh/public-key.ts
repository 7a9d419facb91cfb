import { trimEndOf } from "../../git/text-ends.ts";
import { bitsOf, Malformed, WireReader, wireNumber, wireString } from "./wire.ts";

/** SSH public keys in binary form (RFC 4253 section 6.6, RFC 5656, RFC 8709, OpenSSH's PROTOCOL.u2f). */

export type KeyKind = "ed25519" | "ed25519-sk" | "ecdsa" | "ecdsa-sk" | "rsa";

/** The components of a key needed for checking signatures. */
export type KeyMaterial =
  | { readonly kind: "ed25519"; readonly point: Uint8Array }
  | { readonly kind: "ed25519-sk"; readonly point: Uint8Array; readonly application: Uint8Array }
  | { readonly kind: "ecdsa"; readonly curve: CurveName; readonly point: Uint8Array }
  | {
      readonly kind: "ecdsa-sk";
      readonly curve: "nistp256";
      readonly point: Uint8Array;
      readonly application: Uint8Array;
    }
  | { readonly kind: "rsa"; readonly exponent: Uint8Array; readonly modulus: Uint8Array };

export type CurveName = keyof typeof curves;

export const curves = {
  nistp256: { bits: 256, pointBytes: 65, hash: "sha256", jwk: "P-256" },
  nistp384: { bits: 384, pointBytes: 97, hash: "sha384", jwk: "P-384" },
  nistp521: { bits: 521, pointBytes: 133, hash: "sha512", jwk: "P-521" },
} as const;

/** A larger exponent makes every check slow, and no program generates one. */
const MAX_EXPONENT_BITS = 64;

/** A key type whose signatures are not supported. */
export class UnknownKeyType extends Error {
  override name = "UnknownKeyType";
  constructor(readonly type: string) {
    super(`unknown key type ${type}`);
  }
}

/** The type name at the start of a binary key. @throws Malformed */
export function typeOf(blob: Uint8Array): string {
  const type = new WireReader(blob).text();
  if (!/^[A-Za-z0-9@.-]{1,64}$/.test(type)) throw new Malformed("the key has no type");
  return type;
}

/** @throws Malformed; UnknownKeyType */
export function readPublicKey(blob: Uint8Array): KeyMaterial {
  const reader = new WireReader(blob);
  const type = reader.text();
  const material = readMaterial(type, reader);
  reader.end();
  return material;
}

/** The rest of a key after its type; certificates contain the same. @throws Malformed; UnknownKeyType */
export function readMaterial(type: string, reader: WireReader): KeyMaterial {
  switch (type) {
    case "ssh-ed25519":
      return { kind: "ed25519", point: edwardsPoint(reader) };
    case "sk-ssh-ed25519@openssh.com":
      return { kind: "ed25519-sk", point: edwardsPoint(reader), application: reader.string() };
    case "ecdsa-sha2-nistp256":
    case "ecdsa-sha2-nistp384":
    case "ecdsa-sha2-nistp521": {
      const curve = type.slice("ecdsa-sha2-".length) as CurveName;
      return { kind: "ecdsa", curve, point: curvePoint(reader, curve) };
    }
    case "sk-ecdsa-sha2-nistp256@openssh.com":
      return {
        kind: "ecdsa-sk",
        curve: "nistp256",
        point: curvePoint(reader, "nistp256"),
        application: reader.string(),
      };
    case "ssh-rsa": {
      const exponent = reader.number();
      const modulus = reader.number();
      if (bitsOf(exponent) > MAX_EXPONENT_BITS || bitsOf(exponent) < 2)
        throw new Malformed("the exponent of the key is not usable");
      return { kind: "rsa", exponent, modulus };
    }
    default:
      throw new UnknownKeyType(type);
  }
}

function edwardsPoint(reader: WireReader): Uint8Array {
  const point = reader.string();
  if (point.length !== 32) throw new Malformed("the key has the wrong length");
  return point;
}

function curvePoint(reader: WireReader, curve: CurveName): Uint8Array {
  if (reader.text() !== curve) throw new Malformed("the key names another curve than its type");
  const point = reader.string();
  if (point.length !== curves[curve].pointBytes || point[0] !== 4)
    throw new Malformed("the key is no uncompressed point");
  return point;
}

/** The usual size: bits of the modulus or of the curve. */
export function keyBits(material: KeyMaterial): number {
  switch (material.kind) {
    case "rsa":
      return bitsOf(material.modulus);
    case "ecdsa":
    case "ecdsa-sk":
      return curves[material.curve].bits;
    default:
      return 256;
  }
}

/** `SHA256:` and the hash of the binary key, as ssh-keygen prints it. */
export function fingerprintOf(blob: Uint8Array): string {
  return `SHA256:${trimEndOf(new Bun.CryptoHasher("sha256").update(blob).digest("base64"), "=")}`;
}

/** An RSA key in SSH's form. @param exponent and modulus without leading zeroes */
export function rsaBlob(exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  return Buffer.concat([wireString("ssh-rsa"), wireNumber(exponent), wireNumber(modulus)]);
}

/** An elliptic-curve key in SSH's form. */
export function ecdsaBlob(curve: CurveName, point: Uint8Array): Uint8Array {
  return Buffer.concat([wireString(`ecdsa-sha2-${curve}`), wireString(curve), wireString(point)]);
}

export function ed25519Blob(point: Uint8Array): Uint8Array {
  return Buffer.concat([wireString("ssh-ed25519"), wireString(point)]);
}
