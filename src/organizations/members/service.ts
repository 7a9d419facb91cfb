import { accountOf, isSiteAdmin } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { requireOwner } from "../service.ts";
import * as store from "../store.ts";
import type { SeenOrganization } from "../types.ts";

export interface MemberNeeds {
  readonly db: Database;
  readonly access: AccessControl;
  readonly outbox: Outbox;
  readonly identity: IdentityService;
}

/** Members of organizations: everyone in one of their teams (contract identity.md 12.3). */
export class MemberService {
  constructor(private readonly needs: MemberNeeds) {}

  /** Members see each other, hidden ones too; others see public members whose accounts are visible to them. */
  list(seen: SeenOrganization, paging: Paging): Slice<User> {
    return this.listed(seen, !knowsMembers(seen), paging);
  }

  /** Those whose membership is public. */
  listPublic(seen: SeenOrganization, paging: Paging): Slice<User> {
    return this.listed(seen, true, paging);
  }

  private listed(seen: SeenOrganization, publicOnly: boolean, paging: Paging): Slice<User> {
    const { access, db, identity } = this.needs;
    const isVisible = knowsMembers(seen) ? "1" : access.accountCondition("users");
    const viewer = { isVisible, params: knowsMembers(seen) ? {} : access.params(seen.principal) };
    const { ids, total } = store.membersOf(db, seen.organization.id, publicOnly, viewer, paging);
    const users = identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }

  /** Which of these members are public. */
  publicAmong({ organization }: SeenOrganization, users: readonly User[]): Set<number> {
    return store.membersAmong(
      this.needs.db,
      organization.id,
      users.map(({ id }) => id),
      false,
    );
  }

  /** Which of these members are owners. */
  ownersAmong({ organization }: SeenOrganization, users: readonly User[]): Set<number> {
    return store.ownersAmong(
      this.needs.db,
      organization.id,
      users.map(({ id }) => id),
    );
  }

  /**
   * The account of that name, if the principal may know of it here.
   * @param missing builds the error to throw if there is none
   * @throws NotFound
   */
  named(seen: SeenOrganization, login: string, missing = () => new NotFound()): User {
    const { db, identity } = this.needs;
    const user = identity.byLogin(login);
    const isKnown =
      user &&
      (identity.sees(seen.principal, user) ||
        (knowsMembers(seen) && store.membershipIsPublic(db, seen.organization.id, user.id) !== undefined));
    if (!isKnown) throw missing();
    return user;
  }

  /** Which of the accounts are members, as far as the principal may know. */
  among(seen: SeenOrganization, userIds: readonly number[]): ReadonlySet<number> {
    return store.membersAmong(this.needs.db, seen.organization.id, userIds, knowsMembers(seen));
  }

  /** Whether the account is a member, for callers allowed to know. */
  isMember({ organization }: SeenOrganization, user: User): boolean {
    return store.membershipIsPublic(this.needs.db, organization.id, user.id) !== undefined;
  }

  isPublicMember({ organization }: SeenOrganization, user: User): boolean {
    return store.membershipIsPublic(this.needs.db, organization.id, user.id) === true;
  }

  /**
   * Makes a membership public or private. Does nothing for non-members.
   * @throws Forbidden another's membership, and not an owner
   */
  setPublic(seen: SeenOrganization, user: User, isPublic: boolean): void {
    if (seen.standing === "none") throw new Forbidden("organization.needs-member");
    if (seen.standing !== "owner" && accountOf(seen.principal).id !== user.id)
      throw new Forbidden("organization.others-membership");
    const { db } = this.needs;
    db.transaction(() => store.setMembershipPublic(db, seen.organization.id, user.id, isPublic));
  }

  /**
   * Ends a membership, in every team. Does nothing for non-members.
   * @throws Forbidden neither an owner nor the account itself; ValidationFailed the last owner
   */
  remove(seen: SeenOrganization, user: User): void {
    if (seen.principal.user?.id !== user.id) requireOwner(seen);
    const { db, outbox } = this.needs;
    const { organization, principal } = seen;
    db.transaction(() => {
      if (store.isLastOwner(db, organization.id, user.id))
        throw new ValidationFailed("organization.last-owner", { params: { id: user.id } });
      if (!store.deleteMember(db, organization.id, user.id)) return;
      const context = { ownerId: organization.id, principal: storedPrincipal(principal) };
      outbox.append("organization.member-removed", context, { userId: user.id });
      outbox.append("organization.rights-lost", { ownerId: organization.id }, { userId: user.id });
      outbox.append("access.changed", { ownerId: organization.id }, { userId: user.id });
    });
  }
}

/** Whether the principal may know of private memberships: a public-only token may not. */
export function knowsMembers({ isMember, principal }: SeenOrganization): boolean {
  return (isMember && !principal.scope?.publicOnly) || isSiteAdmin(principal);
}
