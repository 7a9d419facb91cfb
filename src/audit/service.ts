import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { AuditAction, AuditActions, AuditEntry } from "./actions.ts";
import { actionsOf, type EntryFilter, insertEntry, listEntries, type NewEntry, signInsFrom } from "./store.ts";

/** Whom something happened to: an account, or the name of none. */
export interface AuditedAccount {
  readonly id: number | undefined;
  readonly login: string;
}

/** A name as it was typed may be anything; no account is called longer. */
const MAX_NAME = 254;

/** The record of what happened to the security of accounts: added to, read, pruned when it is old, never changed (rule N8). */
export class AuditService {
  private readonly listeners: ((entry: NewEntry) => void)[] = [];

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Hears of what is recorded, in its transaction: for mails that follow it. Called while areas are wired. */
  onRecorded(listener: (entry: NewEntry) => void): void {
    this.listeners.push(listener);
  }

  /** Whether one of the last sign-ins of the account came from there. */
  hasSignedInFrom(accountId: number, address: string): "yes" | "no" | "never-signed-in" {
    return signInsFrom(this.db, accountId, address);
  }

  /**
   * Records what happened; joins the running transaction, so that it is recorded exactly when it is true.
   * @param principal who did it, and from where; a visitor who signs in is the account itself
   */
  append<Action extends AuditAction>(
    principal: Pick<Principal, "user" | "via" | "address">,
    action: Action,
    account: AuditedAccount,
    details: AuditActions[Action],
  ): void {
    const actor = principal.user;
    const entry: NewEntry = {
      at: this.clock(),
      action,
      accountId: account.id,
      account: account.login.slice(0, MAX_NAME),
      actorId: actor?.id,
      actor: actor?.login ?? "",
      via: principal.via,
      address: principal.address ?? "",
      details,
    };
    for (const listener of this.listeners) listener(entry);
    insertEntry(this.db, entry);
  }

  /** What happened to the own account, newest first. */
  ofOwnAccount(principal: Principal, paging: Paging): Slice<AuditEntry> {
    const { id } = accountOf(principal);
    requireAccount(principal, id, "read");
    return listEntries(this.db, { accountId: id }, paging.limit, paging.offset);
  }

  /** What happened to all accounts, or to one, newest first. @throws Forbidden not an administrator */
  list(principal: Principal, filter: EntryFilter, paging: Paging): Slice<AuditEntry> {
    requireSiteAdmin(principal, "read");
    return listEntries(this.db, filter, paging.limit, paging.offset);
  }

  /** What the record may be narrowed to. @throws Forbidden not an administrator */
  actions(principal: Principal): string[] {
    requireSiteAdmin(principal, "read");
    return actionsOf(this.db);
  }
}
