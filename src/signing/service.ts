import type { Database } from "../db/database.ts";
import type { Sign } from "../git/edit/make.ts";
import type { SignatureIdentity } from "../git/objects/signature.ts";
import type { SigningFormat, SigningKey } from "../git/signing/signer.ts";
import type { Clock } from "../kernel/clock.ts";
import type { TrustModel } from "../repos/types.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import { insertKey, keysById, newestKey, type StoredSigningKey } from "./store.ts";

/** What the server creates on behalf of others. */
export type SigningPurpose = "initial" | "edits" | "merges" | "wiki";

/**
 * When it signs: the account has a key, or a second factor; an edit's parent commit is verified; for a merge the tip
 * of the base, that of the head, or all commits of the head are; it is approved. All conditions in a list must hold.
 */
export type SigningCondition =
  | "never"
  | "always"
  | "pubkey"
  | "twofa"
  | "parentsigned"
  | "basesigned"
  | "headsigned"
  | "commitssigned"
  | "approved";

/** Why the server does not sign: it has no key, or the first condition that does not hold (contract pulls.md 10). */
export type SigningRefusal = "nokey" | SigningCondition;

/** Facts to be looked up in a repository, only if a condition needs them. */
export type SigningFacts = Partial<Record<SigningCondition, () => boolean | Promise<boolean>>>;

export interface SigningNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly format: SigningFormat | "none";
  readonly conditions: Readonly<Record<SigningPurpose, readonly SigningCondition[]>>;
  /** The identity in the key. */
  readonly identity: SignatureIdentity;
  /** For repositories without a setting. */
  readonly trustModel: TrustModel;
  readonly hasSecondFactor: (userId: number) => boolean;
}

/** The key that the server signs commits with, and when it does. It is generated on first use. */
export class ServerSigning {
  private readonly sealed: ReturnType<SecretBox["column"]>;
  private hasPublicKey: (userId: number) => boolean = () => false;

  constructor(private readonly needs: SigningNeeds) {
    this.sealed = needs.secrets.column({ table: "signing_keys", column: "private_key", key: "key_id" });
  }

  /** Called once, by the area of keys. */
  knowKeysWith(hasPublicKey: (userId: number) => boolean): void {
    this.hasPublicKey = hasPublicKey;
  }

  /** The identity of the server's signatures. */
  get identity(): SignatureIdentity {
    return this.needs.identity;
  }

  /**
   * The committer of commits that the server signs: itself, if the committer must match the signature (contract
   * git-content.md 4.3); undefined: the user it acts for.
   * @param model the repository's, if set
   */
  committerIn(model: TrustModel | undefined): SignatureIdentity | undefined {
    return (model ?? this.needs.trustModel) === "collaborator" ? undefined : this.needs.identity;
  }

  get format(): SigningFormat | "none" {
    return this.needs.format;
  }

  /** The public key: armored, or a line. undefined: the server signs nothing. */
  async publicKey(): Promise<string | undefined> {
    const key = await this.current();
    if (!key) return undefined;
    if (key.format === "ssh")
      return `ssh-ed25519 ${Buffer.from(key.publicKey).toString("base64")} ${this.needs.identity.email}\n`;
    const { armored } = await import("../git/signing/openpgp.ts");
    return armored("PUBLIC KEY BLOCK", key.publicKey);
  }

  /** The current and former keys with these ids from signatures. */
  keysNamed(keyIds: readonly string[]): Pick<StoredSigningKey, "keyId" | "format" | "publicKey">[] {
    return keyIds.length === 0 ? [] : keysById(this.needs.db, keyIds);
  }

  /**
   * Why the server would not sign something for an account; undefined: it would.
   * @param facts looked up in the repository; a condition without its fact does not hold
   */
  async refusal(
    purpose: SigningPurpose,
    userId: number | undefined,
    facts: SigningFacts = {},
  ): Promise<SigningRefusal | undefined> {
    const { conditions, format, hasSecondFactor } = this.needs;
    if (format === "none") return "nokey";
    const ofAccount: SigningFacts = {
      always: () => true,
      pubkey: () => userId !== undefined && this.hasPublicKey(userId),
      twofa: () => userId !== undefined && hasSecondFactor(userId),
    };
    if (conditions[purpose].length === 0) return "never";
    for (const condition of conditions[purpose])
      if (!(await (ofAccount[condition] ?? facts[condition])?.())) return condition;
    return undefined;
  }

  /** The key, if the server signs this for the account. */
  async keyFor(
    purpose: SigningPurpose,
    userId: number | undefined,
    facts: SigningFacts = {},
  ): Promise<SigningKey | undefined> {
    if ((await this.refusal(purpose, userId, facts)) !== undefined) return undefined;
    const key = await this.current();
    return (
      key && {
        format: key.format,
        privateKey: this.sealed.open(key.keyId, key.privateKey).reveal(),
        createdAt: Math.floor(key.createdAt / 1000),
        signedAt: Math.floor(this.needs.clock() / 1000),
      }
    );
  }

  /** A function that signs, on the current thread. */
  async signFor(purpose: SigningPurpose, userId: number | undefined, facts?: SigningFacts): Promise<Sign | undefined> {
    const key = await this.keyFor(purpose, userId, facts);
    return key && (await import("../git/signing/signer.ts")).signerOf(key);
  }

  /** Generates a new key, used from now on. @returns its id; undefined: the server signs nothing */
  async regenerate(): Promise<string | undefined> {
    const { format } = this.needs;
    if (format === "none") return undefined;
    const key = await this.make(format);
    insertKey(this.needs.db, key);
    return key.keyId;
  }

  private async current(): Promise<StoredSigningKey | undefined> {
    const { db, format } = this.needs;
    if (format === "none") return undefined;
    const present = newestKey(db, format);
    if (present) return present;
    const made = await this.make(format);
    return db.transaction(() => {
      // Someone else may have been first.
      const other = newestKey(db, format);
      if (other) return other;
      insertKey(db, made);
      return made;
    });
  }

  private async make(format: SigningFormat): Promise<StoredSigningKey> {
    const [{ newPrivateKey, openPrivateKey }, openpgp, { sshKeyBlob }, { fingerprintOf }] = await Promise.all([
      import("../git/signing/signer.ts"),
      import("../git/signing/openpgp.ts"),
      import("../git/signing/ssh.ts"),
      import("../keys/ssh/public-key.ts"),
    ]);
    const pem = newPrivateKey();
    const { privateKey, raw } = openPrivateKey(pem);
    const createdAt = this.needs.clock();
    const { name, email } = this.needs.identity;
    const pgp = { privateKey, raw, createdAt: Math.floor(createdAt / 1000) };
    const blob = sshKeyBlob(raw);
    const [keyId, publicKey] =
      format === "ssh"
        ? [fingerprintOf(blob), blob]
        : [openpgp.openpgpFingerprint(pgp).slice(-16), openpgp.openpgpPublicKey(pgp, `${name} <${email}>`)];
    return { keyId, format, publicKey, privateKey: this.sealed.seal(keyId, new Secret(pem)), createdAt };
  }
}
