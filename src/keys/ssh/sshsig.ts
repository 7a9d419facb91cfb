import { createHash } from "node:crypto";
import { readPublicKey, UnknownKeyType } from "./public-key.ts";
import { verifySignature } from "./signature.ts";
import { Malformed, WireReader, wireString } from "./wire.ts";

/** Signatures made by `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig). Loaded on demand. */
export interface SshSignature {
  /** The key that made it, in binary form. */
  readonly publicKey: Uint8Array;
  readonly namespace: string;
  readonly reserved: Uint8Array;
  readonly hash: "sha256" | "sha512";
  readonly signature: Uint8Array;
}

const MAX_TEXT = 32_768;
const MAGIC = "SSHSIG";

/** @throws Malformed */
export function readSshSignature(armored: string): SshSignature {
  if (armored.length > MAX_TEXT) throw new Malformed("the signature is too long");
  const base64 = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+?)-----END SSH SIGNATURE-----$/.exec(
    armored.trim(),
  )?.[1];
  if (base64 === undefined) throw new Malformed("this is no SSH signature");
  const reader = new WireReader(Buffer.from(base64, "base64"));
  if (Buffer.from(reader.bytes(MAGIC.length)).toString("latin1") !== MAGIC || reader.uint32() !== 1)
    throw new Malformed("this is no SSH signature of version 1");
  const publicKey = reader.string();
  const namespace = reader.text();
  const reserved = reader.string();
  const hash = reader.text();
  const signature = reader.string();
  reader.end();
  if (hash !== "sha256" && hash !== "sha512") throw new Malformed("the signature has an unknown hash");
  return { publicKey, namespace, reserved, hash, signature };
}

/** Whether the key named in the signature made it over `data`. Does not check whose key that is. */
export function isGoodSshSignature(
  { publicKey, namespace, reserved, hash, signature }: SshSignature,
  data: Uint8Array,
): boolean {
  try {
    const digest = createHash(hash).update(data).digest();
    const signed = [MAGIC, wireString(namespace), wireString(reserved), wireString(hash), wireString(digest)];
    const bytes = Buffer.concat(signed.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
    return verifySignature(readPublicKey(publicKey), bytes, signature);
  } catch (error) {
    if (error instanceof Malformed || error instanceof UnknownKeyType) return false;
    throw error;
  }
}
