import type { Credentials, SignedRequest } from "../../access/credentials.ts";
import { anonymous, type Principal } from "../../access/principal.ts";
import type { IdentityService } from "../../identity/service.ts";
import { bodyDigests } from "../../kernel/body-digest.ts";
import type { Clock } from "../../kernel/clock.ts";
import { SeenSignatures } from "../../kernel/seen-signatures.ts";
import { unescaped } from "../../kernel/url-path.ts";
import type { PrincipalService } from "../principals/service.ts";
import { type KeyMaterial, readPublicKey } from "../ssh/public-key.ts";
import type { SshKeyService } from "../ssh/service.ts";
import { Malformed } from "../ssh/wire.ts";
import { readOnlyScope } from "../values.ts";
import { readSignatureHeader, type SignatureHeader } from "./header.ts";

/** Tolerated clock skew: how far ahead `created` and how long past `expires` may be. */
const SKEW_SECONDS = 10;
/** How long a signature without expiry is valid, so that a recorded one cannot be replayed forever. */
const MAX_AGE_SECONDS = 300;
const MAX_CERTIFICATE_CHARACTERS = 24_576;

/** API requests signed with an SSH key, or with the key of a certificate (contract identity.md 4). */
export class HttpSignatures {
  private readonly seen: SeenSignatures;

  constructor(
    private readonly identity: IdentityService,
    private readonly keys: SshKeyService,
    private readonly principals: PrincipalService,
    private readonly clock: Clock,
    /** Fingerprints of the keys that may sign certificates; empty: certificates are not accepted. */
    private readonly authorities: ReadonlySet<string>,
  ) {
    this.seen = new SeenSignatures(clock);
  }

  /** Who signed the request; undefined if nobody did, or the signature is invalid. */
  async identify({ address, signed, authorization, forRegistry }: Credentials): Promise<Principal | undefined> {
    if (!signed || forRegistry || /^signature\s/i.test(authorization?.trim() ?? "")) return undefined;
    const header = readSignatureHeader(signed.header("signature") ?? "");
    if (!header || !coversBody(header, signed) || !this.isTimely(header, signed)) return undefined;
    const texts = signedTexts(header, signed);
    if (texts.length === 0) return undefined;
    const certificate = signed.header("x-ssh-certificate");
    const principal =
      certificate === null ? await this.byKey(header, texts) : await this.byCertificate(header, texts, certificate);
    const until = header.expires === undefined ? this.clock() / 1000 + MAX_AGE_SECONDS : header.expires;
    return principal && this.seen.admit(header.signature, address, until + SKEW_SECONDS) ? principal : undefined;
  }

  private async byKey(header: SignatureHeader, texts: readonly string[]): Promise<Principal | undefined> {
    const key = this.keys.ownedBy(header.keyId);
    if (!key) return undefined;
    const blob = Buffer.from(key.content.split(" ")[1] ?? "", "base64");
    if (!(await holds(readPublicKey(blob), header, texts))) return undefined;
    const user = this.identity.byId(key.userId);
    if (!user) return undefined;
    this.keys.used(key);
    return { ...anonymous, user, via: "signature", scope: key.isReadOnly ? readOnlyScope : undefined };
  }

  private async byCertificate(
    header: SignatureHeader,
    texts: readonly string[],
    encoded: string,
  ): Promise<Principal | undefined> {
    if (this.authorities.size === 0) return undefined;
    if (encoded.length > MAX_CERTIFICATE_CHARACTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
    const { checkUserCertificate } = await import("../ssh/certificate.ts");
    const certificate = checkUserCertificate(Buffer.from(encoded, "base64"), this.authorities, this.clock());
    if (!certificate || !(await holds(certificate.material, header, texts))) return undefined;
    for (const name of certificate.principals) {
      const principal = this.principals.byName(name);
      const user = principal && this.identity.byId(principal.userId);
      if (!principal || !user) continue;
      this.principals.used(principal);
      return { ...anonymous, user, via: "signature" };
    }
    return undefined;
  }

  /** Anything not covered could be changed when replaying a recorded request, so only covered fields count. */
  private isTimely({ covered, created, expires }: SignatureHeader, signed: SignedRequest): boolean {
    if (!covered.includes("(request-target)")) return false;
    const now = this.clock() / 1000;
    if (created !== undefined && created > now + SKEW_SECONDS) return false;
    if (expires !== undefined && expires < now - SKEW_SECONDS) return false;
    if (covered.includes("(expires)") && expires !== undefined) return true;
    if (covered.includes("(created)") && created !== undefined) return created > now - MAX_AGE_SECONDS;
    const date = covered.includes("date") ? Date.parse(signed.header("date") ?? "") / 1000 : Number.NaN;
    return Math.abs(now - date) < MAX_AGE_SECONDS;
  }
}

/**
 * A hash of the body must be covered if it is sent, or the body could be replaced; reading the body checks it
 * (`kernel/body-digest.ts`). Without one, a signature can only be used until it expires, and only from the address
 * that used it first.
 */
function coversBody({ covered }: SignatureHeader, signed: SignedRequest): boolean {
  const sent = ["digest", "content-digest"].filter((name) => signed.header(name) !== null);
  if (!sent.every((name) => covered.includes(name))) return false;
  return sent.length === 0 || bodyDigests((name) => signed.header(name)).length > 0;
}

/**
 * The signed text, with the path both decoded, as the contract says, and as it was sent; empty if something that is
 * covered is missing.
 */
export function signedTexts({ covered, created, expires }: SignatureHeader, signed: SignedRequest): string[] {
  const mark = signed.target.indexOf("?");
  const path = mark < 0 ? signed.target : signed.target.slice(0, mark);
  const query = mark < 0 ? "" : signed.target.slice(mark);
  const paths = new Set([path, unescaped(path)]);
  return [...paths].flatMap((each) => {
    const lines: string[] = [];
    for (const name of covered) {
      const value = valueFor(name, `${signed.method.toLowerCase()} ${each}${query}`);
      if (value === undefined) return [];
      lines.push(`${name}: ${value}`);
    }
    return [lines.join("\n")];
  });

  function valueFor(name: string, requestTarget: string): string | undefined {
    switch (name) {
      case "(request-target)":
        return requestTarget;
      case "(created)":
        return created === undefined ? undefined : String(created);
      case "(expires)":
        return expires === undefined ? undefined : String(expires);
      default:
        return signed.header(name)?.trim();
    }
  }
}

async function holds(
  material: KeyMaterial,
  { signature }: SignatureHeader,
  texts: readonly string[],
): Promise<boolean> {
  const { keyObject, verifyPlainSignature } = await import("../ssh/signature.ts");
  try {
    const key = keyObject(material);
    return texts.some((text) => verifyPlainSignature(key, material, new TextEncoder().encode(text), signature));
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}
