import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Sign } from "../edit/make.ts";
import type { SignatureIdentity } from "../objects/signature.ts";
import { openpgpSignature } from "./openpgp.ts";
import { sshSignature } from "./ssh.ts";

export type SigningFormat = "openpgp" | "ssh";

/** A key that signs commits and tags, as it goes into a worker. */
export interface SigningKey {
  readonly format: SigningFormat;
  /** Ed25519, PKCS #8 as PEM. */
  readonly privateKey: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** When signatures say they were made, in seconds since 1970. */
  readonly signedAt: number;
  /** Who the commits are by that it signs; absent: whoever they would be by. */
  readonly committer?: SignatureIdentity | undefined;
}

/** A new private key, as `SigningKey` has it. */
export function newPrivateKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public key's 32 bytes, and what signs. */
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
