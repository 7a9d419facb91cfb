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

/** Whose key it is that someone came in with over SSH. */
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

/** Who comes over SSH: by a key, or by a certificate of a trusted authority (contract git-content.md 14.2). */
export class KeyHolders {
  constructor(
    private readonly identity: IdentityService,
    private readonly keys: SshKeyService,
    private readonly deployKeys: DeployKeyService,
    private readonly principals: PrincipalService,
    private readonly clock: Clock,
    /** Fingerprints of the keys that may sign certificates; empty: certificates do not count. */
    private readonly authorities: ReadonlySet<string>,
  ) {}

  /** Whose key is offered; undefined when it is no one's, or what proves it does not hold. */
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

  /** The account, as it is now, if the key or certificate is still good; undefined of a deploy key, too. */
  async accountOf(holder: KeyHolder): Promise<User | undefined> {
    return (await this.isGood(holder)) && holder.kind !== "deploy" ? this.identity.byId(holder.userId) : undefined;
  }

  /** Whether whoever came in by it would be let in now. */
  async isGood(holder: KeyHolder): Promise<boolean> {
    if (holder.kind !== "principal") return this.keys.find(holder.keyId) !== undefined;
    const names = this.principals.byName(holder.name)?.userId === holder.userId;
    return names && (await this.checked(holder.certificate)) !== undefined;
  }

  /**
   * Who acts, as they are now; the time of use is noted.
   * @param repoId what a deploy key comes to
   * @returns undefined when the key is not good any more, or not one of that repository
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
