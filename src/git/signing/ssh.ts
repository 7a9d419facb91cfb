import { createHash, type KeyObject, sign } from "node:crypto";

/** Signatures as created by `ssh-keygen -Y sign -n git` with an Ed25519 key (OpenSSH's PROTOCOL.sshsig). */

const MAGIC = "SSHSIG";
const NAMESPACE = "git";
const HASH = "sha512";
const KEY_TYPE = "ssh-ed25519";
const LINE_CHARACTERS = 70;

/** An Ed25519 key in SSH's binary form. @param raw its 32 bytes */
export function sshKeyBlob(raw: Uint8Array): Uint8Array {
  return Buffer.concat([sized(KEY_TYPE), sized(raw)]);
}

/** @param raw the public key's 32 bytes @returns the armoured signature */
export function sshSignature(privateKey: KeyObject, raw: Uint8Array, payload: Uint8Array): string {
  const digest = createHash(HASH).update(payload).digest();
  const scope = [sized(NAMESPACE), sized(""), sized(HASH)];
  const signature = sign(null, Buffer.concat([Buffer.from(MAGIC), ...scope, sized(digest)]), privateKey);
  const blob = Buffer.concat([
    Buffer.from(MAGIC),
    Buffer.from([0, 0, 0, 1]),
    sized(sshKeyBlob(raw)),
    ...scope,
    sized(Buffer.concat([sized(KEY_TYPE), sized(signature)])),
  ]);
  const lines = blob.toString("base64").match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? [];
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join("\n")}\n-----END SSH SIGNATURE-----\n`;
}

/** The data preceded by its length (RFC 4251, section 5). */
function sized(data: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
