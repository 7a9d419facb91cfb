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

/** Who belongs to organizations, which is who is in one of their teams (contract identity.md 12.3). */
export class MemberService {
  constructor(private readonly needs: MemberNeeds) {}

  /** Members see each other, hidden ones too; everyone else those who show their membership and whom they see. */
  list(seen: SeenOrganization, paging: Paging): Slice<User> {
    return this.listed(seen, !knowsMembers(seen), paging);
  }

  /** Those who show their membership to everyone. */
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

  /** Which of these members show their membership to everyone. */
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
   * The account of that name, as far as the principal is told of it here.
   * @param missing what is thrown when there is none
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

  /** Those of the accounts that are members, as far as the principal may know. */
  among(seen: SeenOrganization, userIds: readonly number[]): ReadonlySet<number> {
    return store.membersAmong(this.needs.db, seen.organization.id, userIds, knowsMembers(seen));
  }

  /** Whether the account is a member, for those who may know. */
  isMember({ organization }: SeenOrganization, user: User): boolean {
    return store.membershipIsPublic(this.needs.db, organization.id, user.id) !== undefined;
  }

  isPublicMember({ organization }: SeenOrganization, user: User): boolean {
    return store.membershipIsPublic(this.needs.db, organization.id, user.id) === true;
  }

  /**
   * Shows a membership to everyone, or to members only. Harmless for who is no member.
   * @throws Forbidden another's membership, and no owner
   */
  setPublic(seen: SeenOrganization, user: User, isPublic: boolean): void {
    if (seen.standing === "none") throw new Forbidden("organization.needs-member");
    if (seen.standing !== "owner" && accountOf(seen.principal).id !== user.id)
      throw new Forbidden("organization.others-membership");
    const { db } = this.needs;
    db.transaction(() => store.setMembershipPublic(db, seen.organization.id, user.id, isPublic));
  }

  /**
   * Ends a membership, in every team. Harmless for who is no member.
   * @throws Forbidden neither an owner nor oneself; ValidationFailed the last owner
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

/** Whether the principal is told of members who conceal it: a token for public things is not. */
export function knowsMembers({ isMember, principal }: SeenOrganization): boolean {
  return (isMember && !principal.scope?.publicOnly) || isSiteAdmin(principal);
}
