import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { EmailService } from "../../identity/emails/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { ProofTokens } from "../proof.ts";
import type { WholeGpgKey } from "../types.ts";
import { MAX_KEYS } from "../values.ts";
import { armoredKey } from "./armor.ts";
import type { ReadGpgKey } from "./read.job.ts";
import * as store from "./store.ts";

const MAX_ARMORED = 262_144;
const MAX_SIGNATURE = 32_768;
/** Uploaded keys can be crafted to take forever. */
const TIMEOUT_MS = 10_000;
const PROOF_ENDS = ["", "\n", "\r\n", "\n\n"];

export interface GpgParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly emails: EmailService;
  readonly proofs: ProofTokens;
}

/** OpenPGP keys of accounts (contract identity.md 10). They may be hostile, so they are parsed in a worker. */
export class GpgKeyService {
  constructor(private readonly parts: GpgParts) {}

  /** The text to sign to prove ownership of a key. */
  proofToken(user: User): string {
    return this.parts.proofs.current(user);
  }

  /** An account's primary keys, oldest first; public to everyone who may see the account. */
  listOf(user: User, paging: Omit<Paging, "page">): Slice<WholeGpgKey> {
    const { items, total } = store.listGpgKeys(this.parts.db, user.id, paging);
    return { items: this.whole(user.id, items), total };
  }

  hasAny(userId: number): boolean {
    return store.countGpgKeys(this.parts.db, userId) > 0;
  }

  /** One of the caller's keys or subkeys. @throws NotFound */
  get(principal: Principal, id: number): WholeGpgKey {
    const user = own(principal, "read");
    const key = store.findGpgKey(this.parts.db, id);
    const [whole] = key?.userId === user.id ? this.whole(user.id, [key]) : [];
    if (!whole) throw new NotFound();
    return whole;
  }

  /**
   * Adds every key of an armored block, all or none.
   * @param signature over the token, to prove ownership; required for a key without one of the account's addresses
   * @returns the keys, in the order of the block
   * @throws ValidationFailed `gpg-key.malformed`, `gpg-key.used`, `gpg-key.bad-proof`; NotFound `gpg-key.no-address`
   */
  async add(principal: Principal, armored: string, signature: string | undefined): Promise<WholeGpgKey[]> {
    const user = own(principal, "write");
    const keys = await this.read(armored);
    const proven = signature ? await this.provenBy(user, keys, signature) : new Set<ReadGpgKey>();
    return this.parts.db.transaction(() => {
      const { db, clock, emails, outbox } = this.parts;
      const addresses = emails.ofAccount(user.id).filter(({ isVerified }) => isVerified);
      const owned = new Set(addresses.map(({ email }) => email.toLowerCase()));
      const ids: number[] = [];
      for (const key of keys) {
        const isVerified = proven.has(key);
        const signing = key.subkeys.filter(({ canSign }) => canSign).map(({ keyId }) => keyId);
        if (store.isGpgKeyTaken(db, [key.keyId, ...signing]))
          throw new ValidationFailed("gpg-key.used", { field: "key" });
        if (!isVerified && !key.emails.some((email) => owned.has(email)))
          throw new NotFound("gpg-key.no-address", { field: "key", params: { token: this.proofToken(user) } });
        const about = { userId: user.id, isVerified, createdAt: clock() };
        const id = store.insertPrimary(db, key, about);
        for (const subkey of key.subkeys) store.insertSubkey(db, subkey, { ...about, primaryId: id });
        const context = { principal: storedPrincipal(principal), ownerId: user.id };
        outbox.append("key.added", context, { sort: "gpg", name: key.keyId });
        ids.push(id);
      }
      if (store.countGpgKeys(db, user.id) > MAX_KEYS)
        throw new ValidationFailed("key.too-many", { field: "key", params: { max: MAX_KEYS } });
      return ids.map((id) => this.get(principal, id));
    });
  }

  /**
   * Proves ownership of a key.
   * @param keyId in any spelling
   * @throws NotFound the account has no such key; ValidationFailed `gpg-key.bad-proof`
   */
  async verify(principal: Principal, keyId: string, signature: string): Promise<WholeGpgKey> {
    const user = own(principal, "write");
    const { db, outbox } = this.parts;
    const key = store.ownPrimary(db, user.id, normalKeyId(keyId));
    const block = key && store.blockOf(db, key.id);
    if (!key || !block) throw new NotFound();
    if (!(await this.isProof(user, block, signature))) throw this.badProof(user);
    return db.transaction(() => {
      store.markGpgVerified(db, key.id);
      const context = { principal: storedPrincipal(principal), ownerId: user.id };
      outbox.append("key.verified", context, { sort: "gpg", name: key.keyId });
      return this.get(principal, key.id);
    });
  }

  /**
   * Removes one of the caller's keys with its subkeys; does nothing if there is none. @returns whether there was one
   */
  remove(principal: Principal, id: number): boolean {
    const user = own(principal, "write");
    const { db, outbox } = this.parts;
    return db.transaction(() => {
      const key = store.findGpgKey(db, id);
      if (key?.userId !== user.id || key.primaryId !== undefined) return false;
      store.deleteGpgKey(db, id);
      const context = { principal: storedPrincipal(principal), ownerId: user.id };
      outbox.append("key.removed", context, { sort: "gpg", name: key.keyId });
      return true;
    });
  }

  /**
   * All keys of an account as text, one block each; without keys, an empty block with a note (contract identity.md
   * 8.10).
   */
  armored(user: User): string {
    const blocks = store.blocksOf(this.parts.db, user.id);
    if (blocks.length === 0) return armoredKey(new Uint8Array(), ["Note: This user hasn't uploaded any GPG keys."]);
    return blocks.map((block) => armoredKey(block)).join("");
  }

  private async read(armored: string): Promise<ReadGpgKey[]> {
    const malformed = (reason: string) =>
      new ValidationFailed("gpg-key.malformed", { field: "key", params: { reason } });
    if (armored.length > MAX_ARMORED) throw malformed("the key is too large");
    const options = { lane: "interactive", timeoutMs: TIMEOUT_MS } as const;
    const read = await this.parts.pool.run("keys.readGpg", { armored }, options);
    if ("malformed" in read) throw malformed(read.malformed);
    return read.keys;
  }

  /** The keys that made the signature. @throws ValidationFailed none did */
  private async provenBy(user: User, keys: readonly ReadGpgKey[], signature: string): Promise<Set<ReadGpgKey>> {
    const proven = new Set<ReadGpgKey>();
    for (const key of keys) if (await this.isProof(user, key.block, signature)) proven.add(key);
    if (proven.size === 0) throw this.badProof(user);
    return proven;
  }

  private async isProof(user: User, block: Uint8Array, signature: string): Promise<boolean> {
    if (signature.length > MAX_SIGNATURE) return false;
    const encoder = new TextEncoder();
    const texts = this.parts.proofs.accepted(user, PROOF_ENDS);
    const checks = texts.map((text) => ({ signature, data: encoder.encode(text), block }));
    const options = { lane: "interactive", timeoutMs: TIMEOUT_MS } as const;
    return (await this.parts.pool.run("keys.checkGpg", { checks }, options)).includes("good");
  }

  private badProof(user: User): ValidationFailed {
    return new ValidationFailed("gpg-key.bad-proof", { field: "signature", params: { token: this.proofToken(user) } });
  }

  /** Keys of one account with their details: one query each for subkeys, identities and addresses. */
  private whole(userId: number, keys: readonly store.StoredGpgKey[]): WholeGpgKey[] {
    if (keys.length === 0) return [];
    const { db, emails } = this.parts;
    const ids = keys.map(({ id }) => id);
    const subkeys = store.subkeysOf(db, ids);
    const named = store.emailsOfKeys(db, ids);
    const addresses = emails.ofAccount(userId);
    return keys.map((key) => {
      const inKey = new Set(named.get(key.id));
      return {
        ...key,
        primaryKeyId: key.primaryId === undefined ? undefined : store.findGpgKey(db, key.primaryId)?.keyId,
        subkeys: subkeys.filter(({ primaryId }) => primaryId === key.id),
        emails: addresses
          .filter(({ email }) => inKey.has(email.toLowerCase()))
          .map(({ email, isVerified }) => ({ email, isVerified })),
      };
    });
  }
}

/** 16 upper-case digits, whatever the spelling. */
function normalKeyId(keyId: string): string {
  return keyId.trim().replace(/^0x/i, "").toUpperCase().padStart(16, "0");
}

function own(principal: Principal, level: "read" | "write"): User {
  const user = accountOf(principal);
  requireAccount(principal, user.id, level);
  return user;
}
