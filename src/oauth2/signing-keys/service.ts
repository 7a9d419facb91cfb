import type { CryptoKey, JWK, JWTPayload } from "jose";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newRsaKeys } from "../../kernel/rsa-keys.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import { insertSigningKey, type StoredKey, signingKeys } from "./store.ts";

export type SigningAlgorithm = "RS256" | "ES256" | "EdDSA";

interface SigningKey {
  readonly id: string;
  readonly algorithm: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

const MODULUS_BITS = 2048;
/** No token signed here is longer. */
const MAX_TOKEN = 8_192;

/**
 * The keys that tokens are signed with: generated on first use, sealed in the database, published so that clients can
 * check ID tokens. After a change of the algorithm the earlier keys still verify.
 */
export class SigningKeys {
  private readonly sealed: ReturnType<SecretBox["column"]>;
  private keys: Promise<readonly SigningKey[]> | undefined;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    secrets: SecretBox,
    readonly algorithm: SigningAlgorithm,
  ) {
    this.sealed = secrets.column({ table: "oauth2_signing_keys", column: "private_key", key: "id" });
  }

  /** The public keys as a JSON Web Key Set (RFC 7517). */
  async published(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.opened()).map(({ publicJwk }) => publicJwk) };
  }

  /** @param claims with times in seconds */
  async sign(claims: JWTPayload): Promise<string> {
    const { SignJWT } = await import("jose");
    const key = (await this.opened()).find(({ algorithm }) => algorithm === this.algorithm);
    if (!key) throw new Error(`there is no ${this.algorithm} key`);
    return new SignJWT(claims).setProtectedHeader({ alg: key.algorithm, kid: key.id, typ: "JWT" }).sign(key.privateKey);
  }

  /** The claims of a token that was signed here and has not expired; undefined for anything else. */
  verified(token: string): Promise<JWTPayload | undefined> {
    return this.claimsOf(token, 0);
  }

  /** The claims of a token that was signed here, however long ago; undefined for anything else. */
  signedHere(token: string): Promise<JWTPayload | undefined> {
    return this.claimsOf(token, Number.MAX_SAFE_INTEGER);
  }

  /** @param clockTolerance seconds past its expiry for which a token is accepted */
  private async claimsOf(token: string, clockTolerance: number): Promise<JWTPayload | undefined> {
    if (token.length > MAX_TOKEN || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
    const { decodeProtectedHeader, errors, jwtVerify } = await import("jose");
    try {
      const { alg, kid } = decodeProtectedHeader(token);
      const key = (await this.opened()).find(({ id, algorithm }) => id === kid && algorithm === alg);
      if (!key) return undefined;
      const currentDate = new Date(this.clock());
      const options = { algorithms: [key.algorithm], currentDate, clockTolerance };
      return (await jwtVerify(token, key.publicKey, options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  private opened(): Promise<readonly SigningKey[]> {
    if (this.keys) return this.keys;
    const opening = this.open();
    this.keys = opening;
    // Retried next time: the disk may have been full.
    opening.catch(() => {
      if (this.keys === opening) this.keys = undefined;
    });
    return opening;
  }

  private async open(): Promise<readonly SigningKey[]> {
    const before = signingKeys(this.db);
    if (!before.some(({ algorithm }) => algorithm === this.algorithm)) before.unshift(await this.make());
    return Promise.all(before.map((key) => this.load(key)));
  }

  private async make(): Promise<StoredKey> {
    const { calculateJwkThumbprint } = await import("jose");
    const { publicJwk, privateJwk } = await newKeys(this.algorithm);
    const id = await calculateJwkThumbprint(publicJwk);
    const key = {
      id,
      algorithm: this.algorithm,
      publicKey: JSON.stringify(publicJwk),
      privateKey: this.sealed.seal(id, new Secret(JSON.stringify(privateJwk))),
    };
    insertSigningKey(this.db, key, this.clock());
    return key;
  }

  private async load({ id, algorithm, publicKey, privateKey }: StoredKey): Promise<SigningKey> {
    const { importJWK } = await import("jose");
    const publicJwk = { ...(JSON.parse(publicKey) as JWK), kid: id, alg: algorithm, use: "sig" };
    const privateJwk = JSON.parse(this.sealed.open(id, privateKey).reveal()) as JWK;
    return {
      id,
      algorithm,
      publicJwk,
      publicKey: await imported(importJWK(publicJwk, algorithm)),
      privateKey: await imported(importJWK(privateJwk, algorithm)),
    };
  }
}

/** The other kinds are quick to generate. */
async function newKeys(algorithm: SigningAlgorithm): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  if (algorithm === "RS256") {
    const { publicKey, privateKey } = await newRsaKeys(MODULUS_BITS);
    return { publicJwk: publicKey.export({ format: "jwk" }), privateJwk: privateKey.export({ format: "jwk" }) };
  }
  const { exportJWK, generateKeyPair } = await import("jose");
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { publicJwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey) };
}

/** Only symmetric keys are returned as bytes, and none of ours is. */
async function imported(key: Promise<CryptoKey | Uint8Array>): Promise<CryptoKey> {
  const made = await key;
  if (made instanceof Uint8Array) throw new Error("a symmetric key among the signing keys");
  return made;
}
