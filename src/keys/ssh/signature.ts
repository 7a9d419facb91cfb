import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { curves, type KeyMaterial } from "./public-key.ts";
import { Malformed, WireReader } from "./wire.ts";

/** Checks signatures of SSH keys. Loaded on demand, because it pulls in node:crypto. */

/** @throws Malformed the numbers are not a valid key: a point off its curve */
export function keyObject(material: KeyMaterial): KeyObject {
  try {
    return createPublicKey({ key: jwkOf(material), format: "jwk" });
  } catch {
    throw new Malformed("the key is no valid public key");
  }
}

function jwkOf(material: KeyMaterial) {
  const number = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  switch (material.kind) {
    case "rsa":
      return { kty: "RSA", n: number(material.modulus), e: number(material.exponent) };
    case "ecdsa":
    case "ecdsa-sk": {
      const half = (material.point.length - 1) / 2;
      const x = number(material.point.subarray(1, 1 + half));
      return { kty: "EC", crv: curves[material.curve].jwk, x, y: number(material.point.subarray(1 + half)) };
    }
    default:
      return { kty: "OKP", crv: "Ed25519", x: number(material.point) };
  }
}

/**
 * Whether a signature in SSH's form (its algorithm, then its bytes) over `data` is by that key. SHA-1 is never
 * accepted.
 * @param signature RFC 4253 section 6.6, RFC 8332, PROTOCOL.u2f
 */
export function verifySignature(material: KeyMaterial, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    const reader = new WireReader(signature);
    const algorithm = reader.text();
    const bytes = reader.string();
    if (material.kind === "ed25519-sk" || material.kind === "ecdsa-sk") {
      const flags = reader.bytes(1);
      const counter = reader.bytes(4);
      reader.end();
      // The signed flags say whether a person touched the security key; without that any local program may have
      // signed.
      if (((flags[0] ?? 0) & 1) === 0) return false;
      const hash = (part: Uint8Array) => createHash("sha256").update(part).digest();
      const signed = Buffer.concat([hash(material.application), flags, counter, hash(data)]);
      return verifyBytes(material, algorithm, signed, bytes);
    }
    reader.end();
    return verifyBytes(material, algorithm, data, bytes);
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

function verifyBytes(material: KeyMaterial, algorithm: string, data: Uint8Array, bytes: Uint8Array): boolean {
  const key = keyObject(material);
  switch (material.kind) {
    case "ed25519":
      return algorithm === "ssh-ed25519" && verify(null, data, key, bytes);
    case "ed25519-sk":
      return algorithm === "sk-ssh-ed25519@openssh.com" && verify(null, data, key, bytes);
    case "rsa": {
      const hash = algorithm === "rsa-sha2-512" ? "sha512" : algorithm === "rsa-sha2-256" ? "sha256" : undefined;
      return hash !== undefined && verify(hash, data, key, bytes);
    }
    default: {
      const name = material.kind === "ecdsa" ? `ecdsa-sha2-${material.curve}` : "sk-ecdsa-sha2-nistp256@openssh.com";
      if (algorithm !== name) return false;
      const { hash, bits } = curves[material.curve];
      return verify(hash, data, { key, dsaEncoding: "ieee-p1363" }, joinedHalves(bytes, Math.ceil(bits / 8)));
    }
  }
}

/** The two numbers of an ECDSA signature, each padded to the width of the curve. @throws Malformed */
function joinedHalves(bytes: Uint8Array, width: number): Uint8Array {
  const reader = new WireReader(bytes);
  const joined = Buffer.alloc(width * 2);
  for (const end of [width, width * 2]) {
    const half = reader.number();
    if (half.length > width) throw new Malformed("a number of the signature is too large");
    joined.set(half, end - half.length);
  }
  reader.end();
  return joined;
}

/**
 * Whether the bytes are that key's signature as used over HTTP, without SSH's framing: RSA with SHA-256 or SHA-512,
 * ECDSA as two concatenated numbers or in DER. Signatures of security keys need the framing, so they never match.
 */
export function verifyPlainSignature(
  key: KeyObject,
  material: KeyMaterial,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  switch (material.kind) {
    case "ed25519":
      return signature.length === 64 && verify(null, data, key, signature);
    case "rsa":
      return verify("sha256", data, key, signature) || verify("sha512", data, key, signature);
    case "ecdsa": {
      const { hash } = curves[material.curve];
      const encodings = ["ieee-p1363", "der"] as const;
      return encodings.some((dsaEncoding) => verify(hash, data, { key, dsaEncoding }, signature));
    }
    default:
      return false;
  }
}
