import { fingerprintOf } from "../ssh/public-key.ts";
import { isGoodSshSignature, readSshSignature } from "../ssh/sshsig.ts";
import { Malformed } from "../ssh/wire.ts";

/** The contents of a signature; the owner of its key is looked up elsewhere. */
export type Inspected =
  /** Self-contained: the key is included. `isGood`: it covers these bytes, in git's namespace. */
  | { readonly kind: "ssh"; readonly fingerprint: string; readonly isGood: boolean }
  /** Id of the key it claims to be made with, 16 upper-case digits. */
  | { readonly kind: "gpg"; readonly keyId: string }
  | { readonly kind: "unreadable" };

/** The namespace git passes to `ssh-keygen -Y sign -n`. */
const NAMESPACE = "git";

/** Reads signatures of commits and tags, which may contain anything. */
export async function run({
  signatures,
}: {
  signatures: readonly { readonly signature: string; readonly data: Uint8Array }[];
}): Promise<Inspected[]> {
  const found: Inspected[] = [];
  for (const { signature, data } of signatures) {
    if (signature.startsWith("-----BEGIN SSH SIGNATURE-----")) found.push(inspectSsh(signature, data));
    else if (/^-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----/.test(signature)) found.push(await inspectGpg(signature));
    else found.push({ kind: "unreadable" });
  }
  return found;
}

function inspectSsh(armored: string, data: Uint8Array): Inspected {
  try {
    const signature = readSshSignature(armored);
    const isGood = signature.namespace === NAMESPACE && isGoodSshSignature(signature, data);
    return { kind: "ssh", fingerprint: fingerprintOf(signature.publicKey), isGood };
  } catch (error) {
    if (error instanceof Malformed) return { kind: "unreadable" };
    throw error;
  }
}

async function inspectGpg(armored: string): Promise<Inspected> {
  const openpgp = await import("openpgp");
  try {
    const { packets } = await openpgp.readSignature({ armoredSignature: armored });
    const [packet] = packets;
    if (!packet || packets.length > 1) return { kind: "unreadable" };
    const fingerprint = packet.issuerFingerprint;
    const keyId = fingerprint ? Buffer.from(fingerprint).toString("hex").slice(-16) : packet.issuerKeyID.toHex();
    return { kind: "gpg", keyId: keyId.toUpperCase().padStart(16, "0") };
  } catch {
    return { kind: "unreadable" };
  }
}
