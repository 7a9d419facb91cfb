import { anonymous, operator, type Principal } from "../access/principal.ts";
import { requireAccount } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { AvatarService } from "../avatars/service.ts";
import type { Database } from "../db/database.ts";
import type { AccountCreation } from "../identity/account-creation.ts";
import type { EditUser } from "../identity/edits.ts";
import type { IdentityService } from "../identity/service.ts";
import { checkEmail } from "../identity/values.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, Failure, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { SshKeyService } from "../keys/ssh/service.ts";
import type { OutboundClient } from "../outbound/client.ts";
import { accountNameFrom } from "./account-name.ts";
import type { GroupTeams } from "./group-teams.ts";
import { pictureFrom } from "./picture.ts";
import * as store from "./store.ts";
import type { OutsideAccount, OutsideIdentity, SignInSource } from "./types.ts";

declare module "../audit/actions.ts" {
  interface AuditActions {
    "source-linked": { readonly source: string; readonly name: string };
    "source-unlinked": { readonly source: string; readonly name: string };
  }
}

export interface OutsideNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: AuditService;
  readonly identity: IdentityService;
  readonly accountCreation: AccountCreation;
  readonly avatars: AvatarService;
  readonly sshKeys: SshKeyService;
  readonly outbound: OutboundClient;
  readonly groupTeams: GroupTeams;
  /** `sign_in.update_avatar` */
  readonly updatesAvatar: boolean;
}

/** The name and address for a newcomer's account. */
export interface NewAccount {
  readonly login: string;
  readonly email: string;
}

/** Links people from sources to accounts here. */
export class OutsideAccounts {
  constructor(private readonly needs: OutsideNeeds) {}

  /** Their account: linked, or assigned to the source by an administrator under that name. */
  find(source: SignInSource, identity: OutsideIdentity): User | undefined {
    const { db, clock } = this.needs;
    const linked = store.findOutside(db, source.id, identity);
    if (linked) return this.needs.identity.byId(linked.userId);
    const assigned = store.assignedUser(db, source.id, identity.subject, source.kind !== "oauth2");
    const user = assigned === undefined ? undefined : this.needs.identity.byId(assigned);
    // An account already linked to another identity of the source was assigned to that one.
    if (!user || store.outsideOfUser(db, user.id).some(({ sourceId }) => sourceId === source.id)) return undefined;
    db.transaction(() => store.insertOutside(db, source.id, shortened(identity), user.id, clock()));
    return user;
  }

  /** The account of the user with that id on a server used for sign-in; the server's address is its name here. */
  ofServer(origin: string, id: number): User | undefined {
    const found = store.userOfIssuer(this.needs.db, [origin, `${origin}/`], String(id));
    return found === undefined ? undefined : this.needs.identity.byId(found);
  }

  /** Accounts with a numeric id at their source, as on forges, with that server's address. */
  numbered(): { readonly origin: string; readonly id: number; readonly userId: number }[] {
    return store
      .numberedOutside(this.needs.db)
      .map(({ issuer, ...account }) => ({ ...account, origin: issuer.replace(/\/$/, "") }));
  }

  /** The proposed account of a newcomer; the name is empty if the source gives no usable one. */
  proposed(identity: OutsideIdentity): NewAccount {
    return { login: accountNameFrom(identity.name), email: usableEmail(identity.email) };
  }

  /**
   * Creates an account for someone who has none here.
   * @param principal a visitor with an address, or the operator for the nightly job
   * @throws ValidationFailed a name or address that breaks a rule or is taken; Conflict it was created meanwhile
   */
  async create(
    principal: Principal,
    source: SignInSource,
    identity: OutsideIdentity,
    { login, email }: NewAccount,
  ): Promise<User> {
    const { db, clock } = this.needs;
    const said = usableEmail(identity.email);
    const user = await this.needs.accountCreation.createFromSource(
      principal,
      {
        login,
        // An account needs an address; this one cannot receive mail.
        email: email === "" ? `${crypto.randomUUID()}@localhost` : email,
        isEmailProven: email === "" || (identity.isEmailProven && email.toLowerCase() === said.toLowerCase()),
        fullName: [...identity.fullName].slice(0, 100).join(""),
        loginName: identity.subject.slice(0, 255),
        sourceId: source.id,
        isAdmin: identity.isAdmin === true,
        isRestricted: identity.isRestricted === true,
      },
      (made) => {
        // Two tabs of one newcomer must create one account.
        if (store.findOutside(db, source.id, identity)) throw new Conflict("source.linked-elsewhere");
        store.insertOutside(db, source.id, shortened(identity), made.id, clock());
      },
    );
    await this.update(source, identity, user);
    return this.needs.identity.byId(user.id) ?? user;
  }

  /**
   * Links an external account, which can then sign in to the account here.
   * @throws Forbidden another's account; Conflict it is linked to another account
   */
  link(principal: Principal, source: SignInSource, identity: OutsideIdentity, user: User): void {
    const { audit, clock, db } = this.needs;
    requireAccount(principal, user.id);
    db.transaction(() => {
      const linked = store.findOutside(db, source.id, identity);
      if (linked?.userId === user.id) return;
      if (linked) throw new Conflict("source.linked-elsewhere");
      store.insertOutside(db, source.id, shortened(identity), user.id, clock());
      audit.append(principal, "source-linked", user, { source: source.name, name: identity.name.slice(0, 255) });
    });
  }

  /** The external accounts linked to the account. @throws Forbidden another's */
  of(principal: Principal, user: User): OutsideAccount[] {
    requireAccount(principal, user.id, "read");
    return store.outsideOfUser(this.needs.db, user.id);
  }

  /**
   * Unlinks an external account. The original one of an account without a password must stay: it is the only way in.
   * @throws Forbidden another's; NotFound; Conflict `source.last-way-in`
   */
  unlink(principal: Principal, user: User, key: Pick<OutsideAccount, "sourceId" | "issuer" | "subject">): void {
    const { audit, db } = this.needs;
    requireAccount(principal, user.id);
    db.transaction(() => {
      const all = store.outsideOfUser(db, user.id);
      const found = all.find(
        ({ sourceId, issuer, subject }) =>
          sourceId === key.sourceId && issuer === key.issuer && subject === key.subject,
      );
      if (!found) throw new NotFound();
      if (found.sourceId === user.sourceId || (!user.hasPassword && all.length === 1))
        throw new Conflict("source.last-way-in");
      store.deleteOutside(db, found);
      audit.append(principal, "source-unlinked", user, { source: found.sourceName, name: found.name });
    });
  }

  /** Moves the account to another source, or to none. Joins the running transaction. */
  leave(userId: number, sourceId: number): void {
    store.deleteOutsideOf(this.needs.db, userId, sourceId);
  }

  /**
   * Updates an account from its source. Administrators' decisions here (whether it is active) stay (security rule
   * H16).
   */
  async update(source: SignInSource, identity: OutsideIdentity, user: User): Promise<void> {
    const { clock, db, groupTeams, log } = this.needs;
    store.touchOutside(db, source.id, shortened(identity), clock());
    const attempt = async (what: string, work: () => Promise<void> | void) => {
      try {
        await work();
      } catch (error) {
        // The last administrator, or an invalid picture: whatever can be updated is.
        if (!(error instanceof Failure)) throw error;
        log.warn("what a sign-in source says could not be taken over", { source: source.name, what, error });
      }
    };
    await attempt("rights", () => this.updateRights(identity, user));
    if (source.kind !== "oauth2" && user.sourceId === source.id)
      await attempt("profile", () => this.updateProfile(identity, user));
    if (identity.groups && "teamMap" in source.settings) {
      const { teamMap, removesFromTeams } = source.settings;
      await attempt("teams", () => groupTeams.apply(user, identity.groups ?? [], teamMap, removesFromTeams));
    }
    if (identity.sshKeys) await attempt("keys", () => this.updateKeys(source, identity.sshKeys ?? [], user));
    await attempt("picture", () => this.updatePicture(identity, user));
  }

  private async updateRights({ isAdmin, isRestricted }: OutsideIdentity, user: User): Promise<void> {
    const edit: EditUser = {
      ...(isAdmin === undefined || isAdmin === user.isAdmin ? {} : { isAdmin }),
      ...(isRestricted === undefined || isRestricted === user.isRestricted ? {} : { isRestricted }),
    };
    if (Object.keys(edit).length > 0) await this.needs.identity.edit(operator, user, edit);
  }

  private async updateProfile(identity: OutsideIdentity, user: User): Promise<void> {
    const fullName = [...identity.fullName].slice(0, 100).join("");
    const email = usableEmail(identity.email);
    const edit: EditUser = {
      ...(fullName === "" || fullName === user.fullName ? {} : { fullName }),
      ...(email === "" || email.toLowerCase() === user.email.toLowerCase() ? {} : { email }),
    };
    if (Object.keys(edit).length > 0) await this.needs.identity.edit(operator, user, edit);
  }

  private async updateKeys(source: SignInSource, keys: readonly string[], user: User): Promise<void> {
    const isVerified = "sshKeysAreVerified" in source.settings && source.settings.sshKeysAreVerified;
    await this.needs.sshKeys.replaceFromSource(user, source.id, keys, { title: source.name, isVerified });
  }

  private async updatePicture({ picture, pictureUrl }: OutsideIdentity, user: User): Promise<void> {
    const { avatars, outbound, updatesAvatar } = this.needs;
    // An uploaded picture, or one from an earlier update, stays.
    if (user.avatar !== "" || (!picture && (!updatesAvatar || pictureUrl === ""))) return;
    const bytes = picture ?? (await pictureFrom(outbound, pictureUrl));
    if (bytes) await avatars.setForUser({ ...anonymous, user, via: "session" }, user, bytes);
  }
}

function shortened(identity: OutsideIdentity) {
  const { issuer, subject, name } = identity;
  if (subject === "" || subject.length > 1000) throw new ValidationFailed("source.refused");
  return { issuer, subject, name: (name || subject).slice(0, 255) };
}

/** The address, if it is valid for an account. */
function usableEmail(email: string): string {
  try {
    checkEmail(email);
    return email;
  } catch {
    return "";
  }
}
