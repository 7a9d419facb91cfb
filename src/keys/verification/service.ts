import { atLeast } from "../../access/levels.ts";
import { asAccount, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { accountsBehind, noReplyEmail } from "../../identity/git-identity.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { Links } from "../../kernel/links.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo, TrustModel } from "../../repos/types.ts";
import type { ServerSigning } from "../../signing/service.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { GpgVerdict } from "../gpg/check.job.ts";
import * as gpg from "../gpg/store.ts";
import type { SshKeyService } from "../ssh/service.ts";
import type { SshKey } from "../types.ts";
import type { Inspected } from "./inspect.job.ts";

/** A commit or a tag with its signature. */
export interface SignedObject {
  readonly oid: string;
  readonly signature: string | undefined;
  /** The exact bytes that were signed. */
  readonly data: Uint8Array | undefined;
  /** The committer's, or the tagger's. */
  readonly email: string;
}

/** The result of checking a signature (contract identity.md 10.5). */
export interface Verification {
  readonly isVerified: boolean;
  /** Who signed it, or the contract's code for why that is unknown. */
  readonly reason: string;
  readonly signer: Signer | undefined;
  /** Id or fingerprint of the key that made it. */
  readonly key: string | undefined;
}

/** Who made a signature. Without an account it is the server itself. */
export interface Signer {
  readonly user: User | undefined;
  readonly name: string;
  readonly email: string;
}

/** Trust in a verified signature: made by someone who may write here, by the committer, or by someone else. */
export type Trust = "trusted" | "untrusted" | "unmatched";

const TIMEOUT_MS = 20_000;
/** No commit written by people is larger. */
const MAX_DATA_BYTES = 1_048_576;
const MAX_SIGNATURE = 65_536;
/** Maximum number of signatures checked per batch. */
const MAX_AT_ONCE = 500;

type FailureReason =
  | "not_signed_commit"
  | "no_committer_account"
  | "extract_sign"
  | "no_gpg_keys_found"
  | "probable_bad_signature"
  | "probable_bad_default_signature"
  | "generate_hash";

const unverified = (reason: FailureReason): Verification => ({
  isVerified: false,
  reason: `gpg.error.${reason}`,
  signer: undefined,
  key: undefined,
});

export interface SignatureParts {
  readonly db: Database;
  readonly caches: CacheBudget;
  readonly pool: WorkerPool;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly repos: RepoService;
  readonly sshKeys: SshKeyService;
  readonly signing: ServerSigning;
  /** Fingerprints of SSH keys whose signatures are accepted for every account. */
  readonly trustedSshKeys: ReadonlySet<string>;
  /** For repositories without a setting: `signing.trust_model`. */
  readonly trustModel: TrustModel;
}

/**
 * Verifies signatures of commits and tags. The facts in a signature and a key never change; they are computed in a
 * worker and cached by id. The owner of the key and the addresses of accounts are read each time, so that changes to
 * them take effect at once.
 */
export class SignatureService {
  private readonly inspected: Cache<string, Inspected>;
  private readonly verdicts: Cache<string, GpgVerdict>;

  constructor(private readonly parts: SignatureParts) {
    this.inspected = parts.caches.cache(() => 200);
    this.verdicts = parts.caches.cache(() => 16);
  }

  /** By id, for every requested object. The signer is named only to those who may see the account. */
  async verify(principal: Principal, objects: readonly SignedObject[]): Promise<Map<string, Verification>> {
    const found = await this.judge(objects);
    for (const [oid, { signer }] of found)
      if (signer?.user && !this.parts.identity.sees(principal, signer.user))
        found.set(oid, unverified("no_gpg_keys_found"));
    return found;
  }

  /** Which of some objects are verified; no permission is checked. */
  async verified(objects: readonly SignedObject[]): Promise<Set<string>> {
    const good = new Set<string>();
    for (let at = 0; at < objects.length; at += MAX_AT_ONCE)
      for (const [oid, { isVerified }] of await this.judge(objects.slice(at, at + MAX_AT_ONCE)))
        if (isVerified) good.add(oid);
    return good;
  }

  private async judge(objects: readonly SignedObject[]): Promise<Map<string, Verification>> {
    const found = new Map<string, Verification>();
    const signed: Signed[] = [];
    for (const { oid, signature, data, email } of objects) {
      if (signature === undefined || data === undefined) found.set(oid, unverified("not_signed_commit"));
      else if (data.length > MAX_DATA_BYTES || signature.length > MAX_SIGNATURE)
        found.set(oid, unverified("extract_sign"));
      else signed.push({ oid, signature: signature.trim(), data, email: email.toLowerCase() });
    }
    if (signed.length === 0) return found;
    const facts = await this.inspect(signed);
    const { identity, links } = this.parts;
    const accounts = accountsBehind(
      identity,
      links,
      signed.map(({ email }) => email),
    );
    const ssh = this.sshKeysOf(facts);
    const own = this.serverKeysOf(facts);
    const pgp = await this.gpgKeysOf(signed, facts, own);
    for (const object of signed) {
      const fact = facts.get(object.oid);
      const committer = accounts.get(object.email);
      const verdict =
        fact?.kind === "ssh"
          ? this.judgeSsh(object, fact, committer, ssh.get(fact.fingerprint) ?? [], own.has(fact.fingerprint))
          : fact?.kind === "gpg"
            ? this.judgeGpg(object, committer, pgp.get(object.oid) ?? [])
            : unverified("extract_sign");
      found.set(object.oid, verdict);
    }
    return found;
  }

  /**
   * The trust in a verified signature under a repository's trust model (contract identity.md 10.5). @param committer
   * the account behind the committer's address
   */
  trustIn({ repo, owner }: SeenRepo, { user: signer }: Signer, committer: User | undefined): Trust {
    if (!signer) return "trusted";
    const isCommitter = committer?.id === signer.id;
    const model = repo.settings.trustModel ?? this.parts.trustModel;
    if (model !== "collaborator" && !isCommitter) return "unmatched";
    if (model === "committer") return "trusted";
    const level = this.parts.repos.accessOf(asAccount(signer), repo, owner).on("code");
    if (atLeast(level, "write")) return "trusted";
    return isCommitter ? "untrusted" : "unmatched";
  }

  private judgeSsh(
    { email }: Signed,
    { fingerprint, isGood }: Extract<Inspected, { kind: "ssh" }>,
    committer: User | undefined,
    keys: readonly SshKey[],
    isServers: boolean,
  ): Verification {
    if (isServers) return isGood ? this.verifiedByServer(fingerprint) : unverified("probable_bad_default_signature");
    if (!committer) return unverified("no_committer_account");
    const counts = this.parts.trustedSshKeys.has(fingerprint) || keys.some(({ userId }) => userId === committer.id);
    if (!counts) return unverified("no_gpg_keys_found");
    if (!isGood) return unverified("probable_bad_signature");
    return verifiedBy(committer, email, fingerprint);
  }

  private judgeGpg({ email }: Signed, committer: User | undefined, checked: readonly CheckedKey[]): Verification {
    const good = checked.find(({ verdict }) => verdict === "good");
    if (good) {
      const { owner, key } = good;
      if (!owner) return this.verifiedByServer(key.keyId);
      return verifiedBy(owner, committer?.id === owner.id ? email : noReplyEmail(owner, this.parts.links), key.keyId);
    }
    if (checked.some(({ verdict }) => verdict === "unsupported")) return unverified("generate_hash");
    if (checked.length > 0)
      return unverified(
        checked.some(({ owner }) => owner) ? "probable_bad_signature" : "probable_bad_default_signature",
      );
    return unverified(committer ? "no_gpg_keys_found" : "no_committer_account");
  }

  private async inspect(objects: readonly Signed[]): Promise<Map<string, Inspected>> {
    const found = new Map<string, Inspected>();
    const unknown: Signed[] = [];
    for (const object of objects) {
      const cached = this.inspected.get(object.oid);
      if (cached) found.set(object.oid, cached);
      else unknown.push(object);
    }
    if (unknown.length === 0) return found;
    const signatures = unknown.map(({ signature, data }) => ({ signature, data }));
    const options = { lane: "interactive", timeoutMs: TIMEOUT_MS } as const;
    const answers = await this.parts.pool.run("keys.inspectSignatures", { signatures }, options);
    for (const [at, { oid }] of unknown.entries()) {
      const answer = answers[at] ?? { kind: "unreadable" };
      this.inspected.set(oid, answer);
      found.set(oid, answer);
    }
    return found;
  }

  /** Proven keys of accounts by the fingerprints in signatures. */
  private sshKeysOf(facts: ReadonlyMap<string, Inspected>): Map<string, SshKey[]> {
    const fingerprints = [...facts.values()].flatMap((fact) => (fact.kind === "ssh" ? fact.fingerprint : []));
    return Map.groupBy(this.parts.sshKeys.verifiedByFingerprints([...new Set(fingerprints)]), (key) => key.fingerprint);
  }

  /** The server's own keys by the ids in signatures. */
  private serverKeysOf(facts: ReadonlyMap<string, Inspected>): Map<string, ServerKey> {
    const ids = new Set(
      [...facts.values()].map((fact) =>
        fact.kind === "ssh" ? fact.fingerprint : fact.kind === "gpg" ? fact.keyId : "",
      ),
    );
    return new Map(this.parts.signing.keysNamed([...ids]).map((key) => [key.keyId, key]));
  }

  private verifiedByServer(key: string): Verification {
    const { name, email } = this.parts.signing.identity;
    return { isVerified: true, reason: `${name} / ${key}`, signer: { user: undefined, name, email }, key };
  }

  /** For each object, the keys that may have made its signature, and whether they did. */
  private async gpgKeysOf(
    objects: readonly Signed[],
    facts: ReadonlyMap<string, Inspected>,
    own: ReadonlyMap<string, ServerKey>,
  ): Promise<Map<string, CheckedKey[]>> {
    const ids = new Set([...facts.values()].flatMap((fact) => (fact.kind === "gpg" ? fact.keyId : [])));
    const found = new Map<string, CheckedKey[]>();
    if (ids.size === 0) return found;
    const candidates = Map.groupBy(this.believed(gpg.signingKeysById(this.parts.db, [...ids])), ({ key }) => key.keyId);
    const open: { object: Signed; candidate: Candidate }[] = [];
    for (const object of objects) {
      const fact = facts.get(object.oid);
      if (fact?.kind !== "gpg") continue;
      for (const candidate of candidates.get(fact.keyId) ?? []) open.push({ object, candidate });
      const ofServer = own.get(fact.keyId);
      if (ofServer) open.push({ object, candidate: { key: ofServer, owner: undefined } });
    }
    const verdicts = await this.check(open);
    for (const [at, { object, candidate }] of open.entries()) {
      const checked = { ...candidate, verdict: verdicts[at] ?? "bad" };
      found.set(object.oid, [...(found.get(object.oid) ?? []), checked]);
    }
    return found;
  }

  /** Accepted keys: proven by a signature, or naming a proven address of their owner. */
  private believed(keys: readonly gpg.StoredGpgKey[]): Candidate[] {
    const { db, identity } = this.parts;
    const primaries = keys.map(({ id, primaryId }) => primaryId ?? id);
    const named = gpg.emailsOfKeys(db, primaries);
    const proven = identity.byEmails([...named.values()].flat());
    const owners = identity.byIds(keys.map(({ userId }) => userId));
    return keys.flatMap((key) => {
      const owner = owners.get(key.userId);
      const emails = named.get(key.primaryId ?? key.id) ?? [];
      const counts = key.isVerified || emails.some((email) => proven.get(email)?.id === key.userId);
      return owner && counts ? [{ key, owner }] : [];
    });
  }

  private async check(open: readonly { object: Signed; candidate: Candidate }[]): Promise<GpgVerdict[]> {
    const verdicts = open.map(({ object, candidate }) => this.verdicts.get(verdictKey(object, candidate)));
    const blocks = new Map<number, Uint8Array>();
    const missing: number[] = [];
    const blockOf = (primaryId: number) => {
      const block = blocks.get(primaryId) ?? gpg.blockOf(this.parts.db, primaryId);
      if (block) blocks.set(primaryId, block);
      return block;
    };
    const checks = open.flatMap(({ object, candidate }, at) => {
      if (verdicts[at] !== undefined) return [];
      const block = candidate.owner ? blockOf(candidate.key.primaryId ?? candidate.key.id) : candidate.key.publicKey;
      if (!block) return [];
      missing.push(at);
      return [{ signature: object.signature, data: object.data, block }];
    });
    if (checks.length > 0) {
      const options = { lane: "interactive", timeoutMs: TIMEOUT_MS } as const;
      const answers = await this.parts.pool.run("keys.checkGpg", { checks }, options);
      for (const [index, at] of missing.entries()) {
        const { object, candidate } = open[at] ?? {};
        const verdict = answers[index];
        if (!object || !candidate || !verdict) continue;
        this.verdicts.set(verdictKey(object, candidate), verdict);
        verdicts[at] = verdict;
      }
    }
    return verdicts.map((verdict) => verdict ?? "bad");
  }
}

interface Signed {
  readonly oid: string;
  readonly signature: string;
  readonly data: Uint8Array;
  /** In lower case. */
  readonly email: string;
}

type ServerKey = ReturnType<ServerSigning["keysNamed"]>[number];

/** A key that may have made a signature: an account's, or the server's own. */
type Candidate =
  | { readonly key: gpg.StoredGpgKey; readonly owner: User }
  | { readonly key: ServerKey; readonly owner: undefined };

type CheckedKey = Candidate & { readonly verdict: GpgVerdict };

/** Includes the row's id: a key that is added again may have other subkeys and times. */
const verdictKey = ({ oid }: Signed, { key, owner }: Candidate) =>
  owner ? `${oid}:${key.fingerprint}:${key.id}` : `${oid}:${key.keyId}`;

const verifiedBy = (user: User, email: string, key: string): Verification => ({
  isVerified: true,
  reason: `${user.login} / ${key}`,
  signer: { user, name: user.fullName || user.login, email },
  key,
});
