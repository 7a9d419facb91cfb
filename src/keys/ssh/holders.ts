import { anonymous, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DeployKeyService } from "../deploy/service.ts";
import type { PrincipalService } from "../principals/service.ts";
import { KEY_TOKEN } from "../token-kinds.ts";
import { readOnlyScope } from "../values.ts";
import type { KeyOffer } from "./offer.ts";
import type { SshKeyService } from "./service.ts";

/** The owner of a key used over SSH. */
export type KeyHolder =
  | { readonly kind: "account"; readonly keyId: number; readonly title: string; readonly userId: number }
  | { readonly kind: "deploy"; readonly keyId: number; readonly title: string; readonly content: string }
  | {
      readonly kind: "principal";
      readonly name: string;
      readonly userId: number;
      readonly certificate: Uint8Array;
    };

const CERTIFICATE = /-cert-v01@openssh\.com$/;

/** Authenticates over SSH: by key, or by a certificate of a trusted authority (contract git-content.md 14.2). */
export class KeyHolders {
  constructor(
    private readonly identity: IdentityService,
    private readonly keys: SshKeyService,
    private readonly deployKeys: DeployKeyService,
    private readonly principals: PrincipalService,
    private readonly clock: Clock,
    /** Fingerprints of the keys that may sign certificates; empty: certificates are not accepted. */
    private readonly authorities: ReadonlySet<string>,
  ) {}

  /** The owner of the offered key; undefined if it has none, or the proof is invalid. */
  async holderOf(offer: KeyOffer): Promise<KeyHolder | undefined> {
    if (CERTIFICATE.test(offer.algorithm)) return this.byCertificate(offer);
    const content = `${offer.algorithm} ${Buffer.from(offer.blob).toString("base64")}`;
    const key = this.keys.withContent(content);
    if (!key) return undefined;
    if (offer.proof && !(await import("./offer.ts")).isProvenKey(offer)) return undefined;
    const { id: keyId, title, userId } = key;
    return userId === undefined ? { kind: "deploy", keyId, title, content } : { kind: "account", keyId, title, userId };
  }

  private async byCertificate({ blob, proof }: KeyOffer): Promise<KeyHolder | undefined> {
    const checked = await this.checked(blob);
    if (!checked) return undefined;
    if (proof) {
      const { verifySignature } = await import("./signature.ts");
      if (!verifySignature(checked.material, proof.signed, proof.signature)) return undefined;
    }
    for (const name of checked.principals) {
      const principal = this.principals.byName(name);
      if (principal) return { kind: "principal", name, userId: principal.userId, certificate: Uint8Array.from(blob) };
    }
    return undefined;
  }

  /** The current account, if the key or certificate is still valid; undefined for deploy keys too. */
  async accountOf(holder: KeyHolder): Promise<User | undefined> {
    return (await this.isGood(holder)) && holder.kind !== "deploy" ? this.identity.byId(holder.userId) : undefined;
  }

  /** Whether the holder would be admitted now. */
  async isGood(holder: KeyHolder): Promise<boolean> {
    if (holder.kind !== "principal") return this.keys.find(holder.keyId) !== undefined;
    const names = this.principals.byName(holder.name)?.userId === holder.userId;
    return names && (await this.checked(holder.certificate)) !== undefined;
  }

  /**
   * The current principal; updates the time of use.
   * @param repoId the repository that a deploy key is used on
   * @returns undefined if the key is no longer valid, or not one of that repository
   */
  async principalOf(holder: KeyHolder, address: string, repoId: number | undefined): Promise<Principal | undefined> {
    if (holder.kind === "deploy") {
      const principal = repoId === undefined ? undefined : this.deployKeys.principalOf(holder.content, repoId);
      return principal && { ...principal, address };
    }
    const user = await this.accountOf(holder);
    if (!user) return undefined;
    if (holder.kind === "principal") {
      const found = this.principals.byName(holder.name);
      if (found) this.principals.used(found);
      return { ...anonymous, user, via: "signature", address };
    }
    const key = this.keys.find(holder.keyId);
    if (!key) return undefined;
    this.keys.used(key);
    const scope = key.isReadOnly ? readOnlyScope : undefined;
    return { ...anonymous, user, via: "signature", scope, address, issuedToken: { kind: KEY_TOKEN, id: key.id } };
  }

  private async checked(blob: Uint8Array) {
    if (this.authorities.size === 0) return undefined;
    const { checkUserCertificate } = await import("./certificate.ts");
    return checkUserCertificate(blob, this.authorities, this.clock());
  }
}
