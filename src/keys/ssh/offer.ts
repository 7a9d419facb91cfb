import { readPublicKey, typeOf, UnknownKeyType } from "./public-key.ts";
import { keyObject, verifyPlainSignature, verifySignature } from "./signature.ts";
import { Malformed, wireString } from "./wire.ts";

/** A key offered for authentication over SSH (RFC 4252 section 7). Loaded on demand. */
export interface KeyOffer {
  /** The key's algorithm, not the RSA signature variant: `ssh-rsa`, `ssh-ed25519-cert-v01@openssh.com`. */
  readonly algorithm: string;
  /** The key or certificate in its binary form. */
  readonly blob: Uint8Array;
  /** Undefined: the client only asks whether the key would be accepted. */
  readonly proof?: KeyProof;
}

export interface KeyProof {
  /** The signed data: the session identifier and the request. */
  readonly signed: Uint8Array;
  /**
   * The signature: raw bytes for a key (DER for ECDSA); in SSH's format for a certificate, whose algorithm differs
   * from that of the signature.
   */
  readonly signature: Uint8Array;
  /** The hash named by an RSA signature; undefined: SHA-1. */
  readonly rsaHash: "sha256" | "sha512" | undefined;
}

/** A flag and a four-byte counter after the data that a security key signs (OpenSSH's PROTOCOL.u2f). */
const SECURITY_KEY_TAIL_BYTES = 5;

/** Whether a key matches its algorithm and the proof is valid. SHA-1 is never accepted. */
export function isProvenKey({ algorithm, blob, proof }: KeyOffer): boolean {
  if (!proof) return false;
  try {
    if (typeOf(blob) !== algorithm) return false;
    const material = readPublicKey(blob);
    if (material.kind === "rsa" && proof.rsaHash === undefined) return false;
    if (material.kind !== "ed25519-sk" && material.kind !== "ecdsa-sk")
      return verifyPlainSignature(keyObject(material), material, proof.signed, proof.signature);
    const signatureBytes = proof.signature.length - SECURITY_KEY_TAIL_BYTES;
    if (signatureBytes <= 0) return false;
    const framed = Buffer.concat([
      wireString(algorithm),
      wireString(proof.signature.subarray(0, signatureBytes)),
      proof.signature.subarray(signatureBytes),
    ]);
    return verifySignature(material, proof.signed, framed);
  } catch (error) {
    if (error instanceof Malformed || error instanceof UnknownKeyType) return false;
    throw error;
  }
}
