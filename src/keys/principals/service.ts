import type { Principal } from "../../access/principal.ts";
import { requireAccount } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { EmailService } from "../../identity/emails/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SshPrincipal } from "../types.ts";
import { MAX_KEYS } from "../values.ts";
import * as store from "./store.ts";

/** What an account may register as principal: its own name, one of its addresses, or anything. */
export type PrincipalRule = "username" | "email" | "anything";

/** The minimum interval between writes of a last-used time. */
const USE_STEP_MS = 60_000;
const MAX_CHARACTERS = 255;

/**
 * Principals in certificates of the trusted authorities, and the account each stands for (contract identity.md 4.6).
 */
export class PrincipalService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly emails: EmailService,
    /** Empty: principals are disabled. */
    readonly rules: ReadonlySet<PrincipalRule>,
  ) {}

  /** @throws Forbidden neither the account nor a site administrator */
  list(principal: Principal, user: User): SshPrincipal[] {
    requireAccount(principal, user.id, "read");
    return store.principalsOf(this.db, user.id);
  }

  /** @throws Forbidden; ValidationFailed `principal.not-allowed`, `principal.used` */
  add(principal: Principal, user: User, given: string): void {
    requireAccount(principal, user.id);
    const name = given.trim();
    if (!this.allows(principal, user, name)) throw new ValidationFailed("principal.not-allowed", { field: "content" });
    this.db.transaction(() => {
      if (store.findPrincipal(this.db, { name })) throw new ValidationFailed("principal.used", { field: "content" });
      if (store.principalsOf(this.db, user.id).length >= MAX_KEYS)
        throw new ValidationFailed("key.too-many", { field: "content", params: { max: MAX_KEYS } });
      store.insertPrincipal(this.db, user.id, name, this.clock());
      const context = { principal: storedPrincipal(principal), ownerId: user.id };
      this.outbox.append("key.added", context, { sort: "principal", name });
    });
  }

  /** @throws Forbidden; NotFound not one of the account's */
  remove(principal: Principal, user: User, id: number): void {
    requireAccount(principal, user.id);
    this.db.transaction(() => {
      const found = store.findPrincipal(this.db, { id });
      if (found?.userId !== user.id) throw new NotFound();
      store.deletePrincipal(this.db, id);
      const context = { principal: storedPrincipal(principal), ownerId: user.id };
      this.outbox.append("key.removed", context, { sort: "principal", name: found.name });
    });
  }

  /** Exact match, case-sensitive. */
  byName(name: string): SshPrincipal | undefined {
    return store.findPrincipal(this.db, { name });
  }

  /** Updates the time of use after a sign-in. Reads must keep working when the disk is full. */
  used({ id, lastUsedAt }: SshPrincipal): void {
    const now = this.clock();
    if (lastUsedAt !== undefined && now - lastUsedAt <= USE_STEP_MS) return;
    try {
      store.markPrincipalUsed(this.db, id, now);
    } catch (error) {
      if (diskTrouble(error) === undefined) throw error;
    }
  }

  private allows(principal: Principal, user: User, name: string): boolean {
    if (name === "" || name.length > MAX_CHARACTERS || /[\p{Cc}\s,]/u.test(name)) return false;
    const { rules } = this;
    if (rules.has("anything") || (rules.has("username") && name.toLowerCase() === user.login.toLowerCase()))
      return true;
    // An unproven address may belong to someone else.
    const own = () => this.emails.list(principal, user).some((email) => email.isProven && sameText(email.email, name));
    return rules.has("email") && own();
  }
}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
