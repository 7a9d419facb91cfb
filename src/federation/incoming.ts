import type { KeyObject } from "node:crypto";
import type { SignedRequest } from "../access/credentials.ts";
import { bodyDigests } from "../kernel/body-digest.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Forbidden } from "../kernel/errors.ts";
import { readSignatureHeader, type SignatureHeader } from "../keys/http-signatures/header.ts";
import { signedTexts } from "../keys/http-signatures/service.ts";
import type { RemoteKey, RemoteKeys } from "./remote-keys.ts";

/** How far the time of a message may differ from ours (contract identity.md 16.1). */
const VALIDITY_MS = 60_000;
const COVERED = ["(request-target)", "host", "date", "digest"];
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

/** Authenticates the sender of a message by its signature (contract identity.md 16.5). */
export class IncomingSignatures {
  constructor(
    private readonly keys: RemoteKeys,
    private readonly clock: Clock,
  ) {}

  /** Checked before reading the body: it is signed, timely, and covers everything required. @throws BadRequest */
  read(request: SignedRequest): SignatureHeader {
    const header = readSignatureHeader(request.header("signature") ?? "");
    const date = request.header("date") ?? "";
    const isTimely = HTTP_DATE.test(date) && Math.abs(Date.parse(date) - this.clock()) <= VALIDITY_MS;
    const digests = bodyDigests((name) => (name === "digest" ? request.header(name) : null));
    if (!header || !isTimely || digests.length === 0 || !COVERED.every((name) => header.covered.includes(name)))
      throw new BadRequest("federation.not-signed");
    return header;
  }

  /**
   * The actor who signed it; the body's digest has been checked.
   * @throws BadRequest the key cannot be fetched; Forbidden the signature is not the actor's
   */
  async actorOf(header: SignatureHeader, request: SignedRequest, signal: AbortSignal): Promise<string> {
    const asked = this.clock();
    const key = await this.keys.get(header.keyId, signal);
    if (!key) throw new BadRequest("federation.not-signed");
    if (holds(key, header, request)) return key.actor;
    // The key may have been replaced since.
    const present = key.fetchedAt < asked ? await this.keys.get(header.keyId, signal, asked) : undefined;
    if (present && holds(present, header, request)) return present.actor;
    throw new Forbidden("federation.wrong-signature");
  }
}

function holds({ publicKey }: RemoteKey, header: SignatureHeader, request: SignedRequest): boolean {
  const { createPublicKey, verify } = process.getBuiltinModule("node:crypto");
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicKey, format: "pem", type: "spki" });
  } catch {
    return false;
  }
  const hashes = hashesFor(key);
  return signedTexts(header, request).some((text) =>
    hashes.some((hash) => verify(hash, Buffer.from(text), key, header.signature)),
  );
}

/** The hashes a key of its kind signs with; empty: an unsupported kind. */
function hashesFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): (string | null)[] {
  if (asymmetricKeyType === "ed25519") return [null];
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return asymmetricKeyType === "rsa" && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS ? ["sha256", "sha512"] : [];
}
