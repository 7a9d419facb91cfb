import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { Email, OwnedEmail } from "../types.ts";
import { checkEmail } from "../values.ts";
import * as store from "./store.ts";

/** The email addresses of accounts. `EmailConfirmation` proves who owns them. */
export class EmailService {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditService,
    private readonly options: { /** `mail.confirm_addresses` */ readonly confirmAddresses: boolean },
  ) {}

  /** @throws Forbidden neither the account nor a site administrator */
  list(principal: Principal, user: User): Email[] {
    requireAccount(principal, user.id, "read");
    return store.emailsOf(this.db, user.id);
  }

  /** For callers that match them against something themselves; no permission is checked. */
  ofAccount(userId: number): Email[] {
    return store.emailsOf(this.db, userId);
  }

  /** Addresses of all accounts. @throws Forbidden not an administrator */
  search(principal: Principal, search: store.EmailSearch, paging: Paging): Slice<OwnedEmail> {
    requireSiteAdmin(principal, "read");
    return store.allEmails(this.db, search, paging.limit, paging.offset);
  }

  /**
   * Adds addresses to the caller's account, all or none; returns the complete list. None of them is proven.
   * @throws ValidationFailed `email.none-given`, `email.invalid`, `email.used`
   */
  add(principal: Principal, emails: readonly string[]): Email[] {
    const { id } = own(principal);
    if (emails.length === 0) throw new ValidationFailed("email.none-given", { field: "emails" });
    return this.db.transaction(() => {
      for (const email of emails) {
        try {
          checkEmail(email);
        } catch {
          throw new ValidationFailed("email.invalid", { field: "emails", params: { email } });
        }
        if (store.isEmailTaken(this.db, email) !== undefined)
          throw new ValidationFailed("email.used", { field: "emails", params: { email } });
        const isVerified = !this.options.confirmAddresses;
        store.insertEmail(this.db, id, { email, isVerified, isProven: false, isPrimary: false });
        this.audit.append(principal, "email-added", accountOf(principal), { email });
      }
      return store.emailsOf(this.db, id);
    });
  }

  /**
   * Removes addresses of the caller, all or none.
   * @param which addresses, or their ids
   * @throws NotFound not one of the account's; ValidationFailed the primary one
   */
  remove(principal: Principal, which: readonly (string | number)[]): void {
    this.removeOf(principal, own(principal), which);
  }

  /**
   * Removes addresses of any account, for the account itself or an administrator.
   * @throws Forbidden neither; NotFound not one of the account's; ValidationFailed the primary one
   */
  removeOf(principal: Principal, user: User, which: readonly (string | number)[]): void {
    const { id } = user;
    requireAccount(principal, id);
    this.db.transaction(() => {
      const emails = store.emailsOf(this.db, id);
      for (const one of which) {
        const found = emails.find((email) =>
          typeof one === "number" ? email.id === one : email.email.toLowerCase() === one.toLowerCase(),
        );
        if (!found) throw new NotFound("email.missing", { params: { email: one } });
        if (found.isPrimary)
          throw new ValidationFailed("email.is-primary", { field: "emails", params: { email: found.email } });
        store.deleteEmail(this.db, id, found.id);
        this.audit.append(principal, "email-removed", user, { email: found.email });
      }
    });
  }

  /** @throws NotFound not one of the account's verified addresses */
  makePrimary(principal: Principal, emailId: number): void {
    const user = own(principal);
    const { id } = user;
    this.db.transaction(() => {
      const found = store.emailsOf(this.db, id).find((email) => email.id === emailId && email.isVerified);
      if (!found) throw new NotFound();
      store.makePrimary(this.db, id, emailId);
      this.audit.append(principal, "email-primary", user, { email: found.email, before: user.email });
    });
  }

  /**
   * Marks an address as proven on an administrator's authority.
   * @throws Forbidden not an administrator; NotFound not one of the account's
   */
  confirm(principal: Principal, user: User, emailId: number): void {
    requireSiteAdmin(principal);
    this.db.transaction(() => {
      const found = store.emailsOf(this.db, user.id).find(({ id }) => id === emailId);
      if (!found) throw new NotFound();
      store.markEmailProven(this.db, user.id, found.email);
      this.audit.append(principal, "email-confirmed", user, { email: found.email });
    });
  }
}

function own(principal: Principal): User {
  const user = accountOf(principal);
  requireAccount(principal, user.id);
  return user;
}
