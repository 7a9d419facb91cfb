import { readPublicKey, typeOf, UnknownKeyType } from "./public-key.ts";
import { keyObject, verifyPlainSignature, verifySignature } from "./signature.ts";
import { Malformed, wireString } from "./wire.ts";

/** A key with which someone asks to be let in over SSH (RFC 4252 section 7). Loaded where one is looked at. */
export interface KeyOffer {
  /** The key's, without the hash that signatures of RSA are made with: `ssh-rsa`, `ssh-ed25519-cert-v01@openssh.com`. */
  readonly algorithm: string;
  /** The key or certificate in its binary form. */
  readonly blob: Uint8Array;
  /** Undefined: whether the key would do is asked before anything is signed with it. */
  readonly proof?: KeyProof;
}

export interface KeyProof {
  /** What is signed: the connection's number and the request. */
  readonly signed: Uint8Array;
  /**
   * The signature: its bytes, of ECDSA in DER, for a key and in SSH's frame for a certificate, whose algorithm is not
   * that of the signature.
   */
  readonly signature: Uint8Array;
  /** What a signature of RSA was said to be made with; undefined: SHA-1. */
  readonly rsaHash: "sha256" | "sha512" | undefined;
}

/** A flag, and a number of four bytes, behind what a security key signs (OpenSSH's PROTOCOL.u2f). */
const SECURITY_KEY_TAIL_BYTES = 5;

/** Whether a key is what its algorithm says, and the proof by it. SHA-1 never counts. */
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
