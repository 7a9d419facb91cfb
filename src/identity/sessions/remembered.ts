import { anonymous, type Principal } from "../../access/principal.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { equalSecrets, randomHex, sha256Hex } from "../../kernel/ids.ts";
import { findUserById } from "../store.ts";
import type { SessionService } from "./service.ts";
import { deleteSession, findRemembered, findSession, insertRemembered, replaceRemembered } from "./store.ts";

/** Several tabs of a starting browser send the same cookie. */
const GRACE_MS = 60_000;

export interface Recalled {
  readonly userId: number;
  /** Of the new session. */
  readonly secret: string;
  /** The cookie that replaces the used one. */
  readonly value: string;
}

/**
 * "Stay signed in": a cookie `id:secret` opens the next session of its browser, once, and is replaced (security rule
 * H5). It belongs to the session it opened last and ends with it. Using a secret twice means that two parties have
 * the cookie, and ends both.
 */
export class RememberedSignIns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly audit: AuditService,
  ) {}

  /** @returns the cookie's value */
  remember(sessionId: string): string {
    const [id, secret] = [randomHex(10), randomHex(32)];
    const secretHash = sha256Hex(secret);
    insertRemembered(this.db, { id, sessionId, secretHash, previousHash: "", replacedAt: this.clock() });
    return `${id}:${secret}`;
  }

  /**
   * @param value as the browser sent it
   * @returns a new session; `over`: there is nothing to open; `just-used`: another request of the browser was first;
   * `stolen`: it was used before, and the session it opened has ended
   */
  async recall(
    principal: Principal,
    value: string,
    from: { readonly address: string; readonly userAgent: string },
  ): Promise<Recalled | "over" | "just-used" | "stolen"> {
    const [id = "", secret = ""] = value.split(":");
    const hash = sha256Hex(secret);
    const remembered = findRemembered(this.db, id);
    const session = remembered && findSession(this.db, remembered.sessionId);
    if (!remembered || !session || session.expiresAt <= this.clock()) return "over";
    const user = findUserById(this.db, session.userId);
    if (!user) return "over";
    if (!equalSecrets(hash, remembered.secretHash)) {
      const isOtherTab = equalSecrets(hash, remembered.previousHash) && this.clock() - remembered.replacedAt < GRACE_MS;
      if (isOtherTab) return "just-used";
      this.db.transaction(() => {
        this.sessions.close({ ...anonymous, user, via: "session" }, session.id);
        this.audit.append(principal, "remember-theft", user, {});
      });
      return "stolen";
    }
    const opened = await this.sessions.open(user.id, from);
    const next = randomHex(32);
    const isFirst = this.db.transaction(() => {
      const replacement = { ...remembered, sessionId: opened.session.id, secretHash: sha256Hex(next) };
      const replaced = replaceRemembered(this.db, hash, { ...replacement, replacedAt: this.clock() });
      // Ends the replaced session; of two concurrent requests, the session that the second opened is deleted.
      deleteSession(this.db, replaced ? session.id : opened.session.id);
      if (replaced) this.audit.append({ ...principal, user }, "sign-in", user, { method: "remembered" });
      return replaced;
    });
    return isFirst ? { userId: user.id, secret: opened.secret, value: `${id}:${next}` } : "just-used";
  }
}
