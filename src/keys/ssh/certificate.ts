import { fingerprintOf, type KeyMaterial, readMaterial, readPublicKey, UnknownKeyType } from "./public-key.ts";
import { verifySignature } from "./signature.ts";
import { Malformed, WireReader } from "./wire.ts";

/** User certificates (OpenSSH's PROTOCOL.certkeys). Loaded on demand. */
export interface UserCertificate {
  /** The key it certifies. */
  readonly material: KeyMaterial;
  /** The principals it is valid for, in order. */
  readonly principals: readonly string[];
}

const USER = 1;
const SUFFIX = "-cert-v01@openssh.com";
const MAX_BYTES = 16_384;
const MAX_PRINCIPALS = 256;

/**
 * Reads a certificate and checks everything but the principal: that it was signed by a trusted key, is a user
 * certificate, is valid now, and has no critical options.
 * @param trusted fingerprints of the keys that may sign
 * @param now in milliseconds
 * @returns undefined if it is not valid
 */
export function checkUserCertificate(
  blob: Uint8Array,
  trusted: ReadonlySet<string>,
  now: number,
): UserCertificate | undefined {
  try {
    return blob.length > MAX_BYTES ? undefined : read(blob, trusted, now);
  } catch (error) {
    if (error instanceof Malformed || error instanceof UnknownKeyType) return undefined;
    throw error;
  }
}

function read(blob: Uint8Array, trusted: ReadonlySet<string>, now: number): UserCertificate | undefined {
  const reader = new WireReader(blob);
  const type = reader.text();
  if (!type.endsWith(SUFFIX)) return undefined;
  reader.string(); // nonce
  const bare = type.slice(0, -SUFFIX.length);
  const material = readMaterial(bare.startsWith("sk-") ? `${bare}@openssh.com` : bare, reader);
  reader.uint64(); // serial number
  const kind = reader.uint32();
  reader.string(); // key id
  const principals = strings(reader.string());
  const validAfter = reader.uint64();
  const validBefore = reader.uint64();
  const criticalOptions = reader.string();
  reader.string(); // extensions
  reader.string(); // reserved
  const authority = reader.string();
  const signature = reader.string();
  reader.end();
  const seconds = Math.floor(now / 1000);
  // Every critical option restricts where or how the certificate is valid, and none is supported here.
  if (kind !== USER || criticalOptions.length > 0 || seconds < validAfter || seconds >= validBefore) return undefined;
  if (!trusted.has(fingerprintOf(authority))) return undefined;
  const signed = blob.subarray(0, blob.length - 4 - signature.length);
  return verifySignature(readPublicKey(authority), signed, signature) ? { material, principals } : undefined;
}

function strings(data: Uint8Array): string[] {
  const reader = new WireReader(data);
  const found: string[] = [];
  while (!reader.isDone && found.length < MAX_PRINCIPALS) found.push(reader.text());
  return found;
}
