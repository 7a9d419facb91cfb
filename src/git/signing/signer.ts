import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Sign } from "../edit/make.ts";
import type { SignatureIdentity } from "../objects/signature.ts";
import { openpgpSignature } from "./openpgp.ts";
import { sshSignature } from "./ssh.ts";

export type SigningFormat = "openpgp" | "ssh";

/** A key that signs commits and tags, in the form passed to a worker. */
export interface SigningKey {
  readonly format: SigningFormat;
  /** Ed25519, PKCS #8 as PEM. */
  readonly privateKey: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The creation time given in signatures, in seconds since 1970. */
  readonly signedAt: number;
  /** The committer of the commits it signs; if absent, the committer is not changed. */
  readonly committer?: SignatureIdentity | undefined;
}

/** A new private key, in the form used in `SigningKey`. */
export function newPrivateKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public key's 32 bytes, and the private key object that signs. */
export function openPrivateKey(pem: string): { privateKey: KeyObject; raw: Uint8Array } {
  const privateKey = createPrivateKey(pem);
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return { privateKey, raw: Buffer.from(x ?? "", "base64url") };
}

/** Signs with the key, in the form that git writes into commits and tags. */
export function signerOf({ format, privateKey: pem, createdAt, signedAt }: SigningKey): Sign {
  const { privateKey, raw } = openPrivateKey(pem);
  if (format === "ssh") return (payload) => sshSignature(privateKey, raw, payload);
  return (payload) => openpgpSignature({ privateKey, raw, createdAt }, payload, signedAt);
}
