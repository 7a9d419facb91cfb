import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound } from "../kernel/errors.ts";
import { InFlight } from "../kernel/in-flight.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { findKey, insertKey, type StoredOwnerKey } from "./owner-keys-store.ts";
import type { SigningRequest } from "./sign.job.ts";
import { typeNames } from "./types.ts";

/** Registries that sign their indices, each with its own key: RSA for `alpine`, OpenPGP for the others. */
export type KeyPurpose = "alpine" | "arch" | "debian" | "rpm";

/** Generating a key takes a core for seconds, and anyone may ask for anyone's. */
const AT_A_TIME = 1;
const MAX_WAITING = 100;
const TIMEOUT_MS = 300_000;
const NEVER = new AbortController().signal;

export interface OwnerKeyParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly pool: WorkerPool;
  /** Seals `package_keys.private_key`, bound to the public key. */
  readonly sealed: ReturnType<SecretBox["column"]>;
}

/**
 * The signing keys of registries, one per owner and type, created on first use and sealed in the database
 * (contract packages.md 10).
 */
export class OwnerKeys {
  private readonly turns = new Semaphore<"make">(AT_A_TIME, MAX_WAITING);
  private readonly making = new InFlight<string, StoredOwnerKey>();

  constructor(private readonly parts: OwnerKeyParts) {}

  /** Armoured, or PEM. @throws Overloaded, NotFound if the account is gone */
  async publicKey(owner: User, purpose: KeyPurpose): Promise<string> {
    return (await this.keyOf(owner, purpose)).publicKey;
  }

  /** Signs several items in a worker. @throws as above */
  async sign(owner: User, purpose: KeyPurpose, requests: readonly SigningRequest[]): Promise<Uint8Array[]> {
    const { pool, sealed } = this.parts;
    const { privateKey, publicKey } = await this.keyOf(owner, purpose);
    const input = { privateKey: sealed.open(publicKey, privateKey).reveal(), requests };
    return pool.run("packages.sign", input, { timeoutMs: TIMEOUT_MS });
  }

  private async keyOf(owner: User, purpose: KeyPurpose): Promise<StoredOwnerKey> {
    const there = findKey(this.parts.db, owner.id, purpose);
    return there ?? this.making.once(`${owner.id} ${purpose}`, () => this.makeInTurn(owner, purpose));
  }

  private async makeInTurn(owner: User, purpose: KeyPurpose): Promise<StoredOwnerKey> {
    const leave = await this.turns.enter("make", NEVER);
    try {
      const key = await this.make(owner, purpose);
      if (!key) throw new NotFound("packages.owner-missing");
      return key;
    } finally {
      leave();
    }
  }

  private async make(owner: User, purpose: KeyPurpose): Promise<StoredOwnerKey | undefined> {
    const { clock, db, pool, sealed } = this.parts;
    const now = clock();
    const identity = `${owner.login} (${typeNames[purpose]} Registry)`;
    const input = purpose === "alpine" ? { kind: "rsa" as const } : { kind: "openpgp" as const, identity, now };
    const { privateKey, publicKey } = await pool.run("packages.newKey", input, { timeoutMs: TIMEOUT_MS });
    const sealedKey = sealed.seal(publicKey, new Secret(privateKey));
    insertKey(db, owner.id, purpose, { publicKey, privateKey: sealedKey, createdAt: now });
    return findKey(db, owner.id, purpose);
  }
}
