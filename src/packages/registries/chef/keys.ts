import type { Credentials, SignedRequest } from "../../../access/credentials.ts";
import { accountOf, anonymous, type Principal } from "../../../access/principal.ts";
import type { AuditService } from "../../../audit/service.ts";
import type { Database } from "../../../db/database.ts";
import type { IdentityService } from "../../../identity/service.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Unauthorised } from "../../../kernel/errors.ts";
import { newRsaPems } from "../../../kernel/rsa-keys.ts";
import { SeenSignatures } from "../../../kernel/seen-signatures.ts";
import { Semaphore } from "../../../kernel/semaphore.ts";
import { unescaped } from "../../../kernel/url-path.ts";
import { findKey, putPublicKey } from "../../owner-keys-store.ts";
import { cleanPath, isSignedBy, readSignedHeaders, type SignedHeaders } from "./signed-headers.ts";

const PURPOSE = "chef";
const MODULUS_BITS = 4096;
/** Generating a pair takes a few seconds of CPU time. */
const MAX_WAITING = 16;
/** How far a request's timestamp may differ from the server's clock. */
const SKEW_MS = 10 * 60_000;
/** Only this registry checks that the signature matches the body. */
const PATH = /^\/api\/packages\/[^/]+\/chef\//;

export interface ChefKeyParts {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly rootUrl: string;
}

/** The key pairs that accounts sign requests to the Chef registry with (contract packages.md 9.19, 10). */
export class ChefKeys {
  private readonly making = new Semaphore<"pair">(1, MAX_WAITING);
  private readonly seen: SeenSignatures;
  /** The path of the site's own URL, which proxies may strip. */
  private readonly prefix: string;

  constructor(private readonly parts: ChefKeyParts) {
    this.seen = new SeenSignatures(parts.clock);
    this.prefix = new URL(parts.rootUrl).pathname.replace(/\/$/, "");
  }

  /** When the account's pair was generated; undefined if it has none. */
  madeAt(principal: Principal): number | undefined {
    return findKey(this.parts.db, accountOf(principal).id, PURPOSE)?.createdAt;
  }

  /**
   * Generates a new pair, replacing the previous one.
   * @returns the private key as PEM, which is not stored
   * @throws Overloaded
   */
  async regenerate(principal: Principal, signal: AbortSignal): Promise<string> {
    const { audit, clock, db } = this.parts;
    const user = accountOf(principal);
    const leave = await this.making.enter("pair", signal);
    const { privateKey, publicKey } = await newRsaPems(MODULUS_BITS, "pkcs1").finally(leave);
    const createdAt = clock();
    db.transaction(() => {
      putPublicKey(db, user.id, PURPOSE, { publicKey, createdAt });
      audit.append(principal, "key-added", user, { name: "Chef", sort: "chef" });
    });
    return privateKey;
  }

  /** Who signed a request. @throws Unauthorised if the signature is invalid and there are no other credentials */
  async identify(credentials: Credentials): Promise<Principal | undefined> {
    const { address, authorization, queryToken, signed } = credentials;
    if (!signed || !PATH.test(cleanPath(signed.target))) return undefined;
    const headers = readSignedHeaders(signed.header);
    const user = headers && this.signer(signed, headers);
    const until = headers ? Date.parse(headers.timestamp) + SKEW_MS : 0;
    if (user && this.seen.admit(headers.signature, address, until / 1000))
      return { ...anonymous, user, via: "signature" };
    if (authorization === null && !queryToken) throw new Unauthorised("access.bad-credentials");
    return undefined;
  }

  private signer(signed: SignedRequest, headers: SignedHeaders) {
    const { clock, db, identity } = this.parts;
    // The negation also rejects an invalid timestamp.
    if (!(Math.abs(clock() - Date.parse(headers.timestamp)) <= SKEW_MS)) return undefined;
    const user = identity.byLogin(headers.userId);
    const found = user && findKey(db, user.id, PURPOSE);
    return found && isSignedBy(found.publicKey, signed, headers, this.pathsOf(signed)) ? user : undefined;
  }

  /** The path as sent, decoded, and with the site's own path prefix. */
  private pathsOf({ target }: SignedRequest): string[] {
    const [path = ""] = target.split("?", 1);
    const spellings = [path, unescaped(path)].map(cleanPath);
    return [...new Set(spellings.flatMap((each) => [each, this.prefix + each]))];
  }
}
