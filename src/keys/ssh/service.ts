import { operator, type Principal } from "../../access/principal.ts";
import { administersSite, requireAccount } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { requirePerson } from "../../identity/values.ts";
import type { Clock } from "../../kernel/clock.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { ProofTokens } from "../proof.ts";
import type { SshKey } from "../types.ts";
import { checkTitle, MAX_KEYS } from "../values.ts";
import { readKeyText } from "./key-text.ts";
import * as store from "./store.ts";

/** The minimum interval between writes of a last-used time. */
const USE_STEP_MS = 60_000;
/** The namespace for `ssh-keygen -Y sign -n` when an owner proves a key. */
export const PROOF_NAMESPACE = "gitea";
const PROOF_ENDS = ["", "\n", "\r\n"];

export interface NewKey {
  readonly title: string;
  /** In any of the usual formats. */
  readonly key: string;
  readonly isReadOnly: boolean;
}

/** The SSH keys of accounts (contract identity.md 9). */
export class SshKeyService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly proofs: ProofTokens,
  ) {}

  /**
   * @throws Forbidden neither the account nor a site administrator; ValidationFailed `ssh-key.…`, a bad or used title
   */
  async add(principal: Principal, user: User, { title, key, isReadOnly }: NewKey): Promise<SshKey> {
    requireAccount(principal, user.id);
    requirePerson(user);
    const checkedTitle = checkTitle(title);
    const { content, comment, fingerprint } = await readKeyText(key);
    return this.db.transaction(() => {
      if (store.findKeyByContent(this.db, content)) throw new ValidationFailed("ssh-key.used", { field: "key" });
      if (store.hasTitle(this.db, user.id, checkedTitle))
        throw new ValidationFailed("ssh-key.title-used", { field: "title" });
      if (store.countKeys(this.db, user.id) >= MAX_KEYS)
        throw new ValidationFailed("key.too-many", { field: "key", params: { max: MAX_KEYS } });
      const added = store.insertKey(this.db, {
        userId: user.id,
        title: checkedTitle,
        content,
        comment,
        fingerprint,
        isReadOnly,
        createdAt: this.clock(),
      });
      this.tell("key.added", principal, added);
      return added;
    });
  }

  /** An account's keys, oldest first; public to everyone who may see the account. */
  listOf(user: User, fingerprint: string | undefined, paging: Omit<Paging, "page">): Slice<SshKey> {
    return store.listKeys(this.db, { userId: user.id, ...(fingerprint === undefined ? {} : { fingerprint }) }, paging);
  }

  /** An account's keys as in `authorized_keys`, without comments, which may reveal more than their owner intends. */
  lines(user: User): string {
    const { items } = this.listOf(user, undefined, { limit: MAX_KEYS, offset: 0 });
    return items.map(({ content }) => `${content}\n`).join("");
  }

  /**
   * Keys with that fingerprint of any owner, including deploy keys. Owners are shown only to themselves and
   * administrators.
   */
  byFingerprint(fingerprint: string, paging: Paging): Slice<SshKey> {
    return store.listKeys(this.db, { fingerprint }, paging);
  }

  find(id: number): SshKey | undefined {
    return store.findKey(this.db, id);
  }

  /** @param content type and base64 */
  withContent(content: string): SshKey | undefined {
    return store.findKeyByContent(this.db, content);
  }

  /** @throws NotFound */
  get(id: number): SshKey {
    const key = store.findKey(this.db, id);
    if (!key) throw new NotFound();
    return key;
  }

  /**
   * Replaces an account's keys from a sign-in source: earlier ones that the source no longer names are removed. Keys
   * that cannot be parsed or already belong to someone are skipped.
   * @param keys in any of the usual formats
   */
  async replaceFromSource(
    user: User,
    sourceId: number,
    keys: readonly string[],
    { title, isVerified }: { readonly title: string; readonly isVerified: boolean },
  ): Promise<void> {
    const wanted = new Map<string, Awaited<ReturnType<typeof readKeyText>>>();
    for (const key of keys.slice(0, MAX_KEYS)) {
      try {
        const read = await readKeyText(key);
        wanted.set(read.content, read);
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
      }
    }
    this.db.transaction(() => {
      for (const key of store.keysFromSource(this.db, user.id, sourceId))
        if (!wanted.delete(key.content)) {
          store.deleteKey(this.db, key.id);
          this.tell("key.removed", operator, key);
          this.outbox.append("access.changed", { ownerId: user.id }, { userId: user.id });
        }
      for (const { content, comment, fingerprint } of wanted.values()) {
        // Titles are unique per account.
        const ownTitle = `${title} ${fingerprint.slice(-8)}`;
        if (store.findKeyByContent(this.db, content) || store.hasTitle(this.db, user.id, ownTitle)) continue;
        if (store.countKeys(this.db, user.id) >= MAX_KEYS) break;
        const added = store.insertKey(this.db, {
          userId: user.id,
          title: ownTitle,
          content,
          comment,
          fingerprint,
          isReadOnly: false,
          isVerified,
          sourceId,
          createdAt: this.clock(),
        });
        this.tell("key.added", operator, added);
      }
    });
  }

  /** @throws NotFound; Forbidden another's, or one from a sign-in source */
  remove(principal: Principal, id: number): void {
    this.db.transaction(() => {
      const key = this.get(id);
      const { userId } = key;
      if (userId === undefined || (principal.user?.id !== userId && !administersSite(principal)))
        throw new Forbidden("ssh-key.not-own");
      requireAccount(principal, userId);
      if (key.sourceId !== 0) throw new Forbidden("ssh-key.managed");
      store.deleteKey(this.db, id);
      this.tell("key.removed", principal, key);
      this.outbox.append("access.changed", { ownerId: userId }, { userId });
    });
  }

  /** @throws NotFound the account has no such key; Forbidden neither the account nor a site administrator */
  removeOf(principal: Principal, user: User, id: number): void {
    requireAccount(principal, user.id);
    if (this.get(id).userId !== user.id) throw new NotFound();
    this.remove(principal, id);
  }

  /** The text to sign to prove ownership of a key. */
  proofToken(user: User): string {
    return this.proofs.current(user);
  }

  /**
   * Proves ownership of the key by a signature of `ssh-keygen -Y sign -n gitea` over the token. Only then do its
   * signatures of commits count.
   * @throws NotFound the account has no such key; ValidationFailed the signature does not prove it
   */
  async verify(principal: Principal, user: User, fingerprint: string, signature: string): Promise<void> {
    requireAccount(principal, user.id);
    const [key] = this.listOf(user, fingerprint, { limit: 1, offset: 0 }).items;
    if (!key) throw new NotFound();
    if (!(await this.proves(user, fingerprint, signature)))
      throw new ValidationFailed("ssh-key.bad-proof", { field: "signature" });
    this.db.transaction(() => {
      // It may have been removed while the signature was being checked.
      const present = store.findKey(this.db, key.id);
      if (!present) throw new NotFound();
      store.markVerified(this.db, present.id);
      this.tell("key.verified", principal, present);
    });
  }

  private async proves(user: User, fingerprint: string, armored: string): Promise<boolean> {
    const [{ isGoodSshSignature, readSshSignature }, { fingerprintOf }, { Malformed }] = await Promise.all([
      import("./sshsig.ts"),
      import("./public-key.ts"),
      import("./wire.ts"),
    ]);
    try {
      const signature = readSshSignature(armored);
      if (signature.namespace !== PROOF_NAMESPACE || fingerprintOf(signature.publicKey) !== fingerprint) return false;
      return this.proofs
        .accepted(user, PROOF_ENDS)
        .some((text) => isGoodSshSignature(signature, new TextEncoder().encode(text)));
    } catch (error) {
      if (error instanceof Malformed) return false;
      throw error;
    }
  }

  /** The account key with that fingerprint, for authentication. */
  ownedBy(fingerprint: string): (SshKey & { readonly userId: number }) | undefined {
    for (const key of store.listKeys(this.db, { fingerprint }, { limit: 2, offset: 0 }).items)
      if (key.userId !== undefined) return { ...key, userId: key.userId };
    return undefined;
  }

  /** Whether the account has a proven key. */
  hasVerified(userId: number): boolean {
    return store.hasVerifiedKey(this.db, userId);
  }

  /** Proven keys of accounts, for signatures of many commits at once. */
  verifiedByFingerprints(fingerprints: readonly string[]): SshKey[] {
    return fingerprints.length === 0 ? [] : store.verifiedKeysByFingerprints(this.db, fingerprints);
  }

  /** Updates the time of use after a sign-in. Reads must keep working when the disk is full. */
  used({ id, lastUsedAt }: SshKey): void {
    const now = this.clock();
    if (lastUsedAt !== undefined && now - lastUsedAt <= USE_STEP_MS) return;
    try {
      store.markUsed(this.db, id, now);
    } catch (error) {
      if (diskTrouble(error) === undefined) throw error;
    }
  }

  private tell(kind: "key.added" | "key.removed" | "key.verified", principal: Principal, key: SshKey): void {
    const context = {
      principal: storedPrincipal(principal),
      ...(key.userId === undefined ? {} : { ownerId: key.userId }),
    };
    this.outbox.append(kind, context, { sort: "ssh", name: key.title });
  }
}
