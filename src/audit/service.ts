import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { AuditAction, AuditActions, AuditEntry } from "./actions.ts";
import { actionsOf, type EntryFilter, insertEntry, listEntries, type NewEntry, signInsFrom } from "./store.ts";

/** The account concerned, or a name that no account has. */
export interface AuditedAccount {
  readonly id: number | undefined;
  readonly login: string;
}

/** A typed name may be anything; no account name is longer. */
const MAX_NAME = 254;

/** The security audit log of accounts: append-only, readable, pruned when old (rule N8). */
export class AuditService {
  private readonly listeners: ((entry: NewEntry) => void)[] = [];

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Registers a listener for new entries, called in their transaction: for mails about them. Called during wiring. */
  onRecorded(listener: (entry: NewEntry) => void): void {
    this.listeners.push(listener);
  }

  /** Whether one of the account's recent sign-ins came from that address. */
  hasSignedInFrom(accountId: number, address: string): "yes" | "no" | "never-signed-in" {
    return signInsFrom(this.db, accountId, address);
  }

  /**
   * Records an action; joins the running transaction, so that both are committed or neither.
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

  /** The caller's own entries, newest first. */
  ofOwnAccount(principal: Principal, paging: Paging): Slice<AuditEntry> {
    const { id } = accountOf(principal);
    requireAccount(principal, id, "read");
    return listEntries(this.db, { accountId: id }, paging.limit, paging.offset);
  }

  /** Entries of all accounts, or of one, newest first. @throws Forbidden not an administrator */
  list(principal: Principal, filter: EntryFilter, paging: Paging): Slice<AuditEntry> {
    requireSiteAdmin(principal, "read");
    return listEntries(this.db, filter, paging.limit, paging.offset);
  }

  /** The actions to filter by. @throws Forbidden not an administrator */
  actions(principal: Principal): string[] {
    requireSiteAdmin(principal, "read");
    return actionsOf(this.db);
  }
}
