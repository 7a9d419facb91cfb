import { anonymous } from "../access/principal.ts";
import type { AuditService } from "../audit/service.ts";
import type { IdentityService } from "../identity/service.ts";
import { clientNetwork } from "../kernel/client-network.ts";
import type { Log } from "../kernel/log.ts";
import { RateLimiter } from "../kernel/rate-limiter.ts";
import type { KeyHolders } from "../keys/ssh/holders.ts";
import type { KeyOffer } from "../keys/ssh/offer.ts";
import { fingerprintOf } from "../keys/ssh/public-key.ts";

declare module "../audit/actions.ts" {
  interface AuditActions {
    "ssh-key-refused": { readonly fingerprint: string };
  }
}

export interface RefusedSignInParts {
  readonly audit: AuditService;
  readonly holders: KeyHolders;
  readonly identity: IdentityService;
  readonly log: Log;
}

/** Recorded per network, as a burst and per hour: bots try all day. The log has all of them. */
const RECORDED_AN_HOUR = 30;

/** Connections that ended before authentication: logged, and those with a key also in the security audit log. */
export class RefusedSignIns {
  private readonly recorded = new RateLimiter({ limit: RECORDED_AN_HOUR, windowMs: 3_600_000 });

  constructor(private readonly parts: RefusedSignInParts) {}

  /** @param offer the last one for the right user name; undefined: no key was offered */
  async add(address: string, offer: KeyOffer | undefined): Promise<void> {
    const { audit, holders, identity, log } = this.parts;
    const fingerprint = offer && fingerprintOf(offer.blob);
    log.info("a sign-in over SSH was refused", { address, ...(fingerprint ? { key: fingerprint } : {}) });
    if (!offer || !fingerprint || this.recorded.tryTake(clientNetwork(address)) > 0) return;
    const by = { ...anonymous, address };
    // The offered public key is someone's, without proof of the private one.
    const claimed = await holders.holderOf({ algorithm: offer.algorithm, blob: offer.blob });
    const user = claimed && claimed.kind !== "deploy" ? identity.byId(claimed.userId) : undefined;
    if (user && offer.proof) audit.append(by, "sign-in-failed", user, { method: "key" });
    else if (!user) audit.append(by, "ssh-key-refused", { id: undefined, login: "" }, { fingerprint });
  }
}
