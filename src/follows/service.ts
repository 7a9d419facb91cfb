import { accountOf, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import * as store from "./store.ts";
import type { Side } from "./types.ts";

export interface FollowNeeds {
  readonly access: AccessControl;
  readonly blocks: BlockService;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly outbox: Outbox;
}

/** Followers of accounts (contract identity.md 11.1). Callers have checked that the accounts are visible. */
export class AccountFollows {
  constructor(private readonly needs: FollowNeeds) {}

  /** Whether `user` follows `target`. */
  isFollowing(user: User, target: User): boolean {
    return store.follows(this.needs.db, user.id, target.id);
  }

  /** Does nothing if already following, or for oneself. @throws Forbidden one blocks the other; Unauthorised */
  follow(principal: Principal, target: User): void {
    const { blocks, clock, db, outbox } = this.needs;
    const user = accountOf(principal);
    if (user.id === target.id) return;
    blocks.requireUnblocked(target, user);
    blocks.requireUnblocked(user, target);
    db.transaction(() => {
      if (store.insertFollow(db, user.id, target.id, clock()))
        outbox.append("account.followed", { ownerId: target.id, principal: storedPrincipal(principal) }, {});
    });
  }

  /** Does nothing if not following. @throws Unauthorised */
  unfollow(principal: Principal, target: User): void {
    const { db, outbox } = this.needs;
    const user = accountOf(principal);
    db.transaction(() => {
      if (store.deleteFollow(db, user.id, target.id))
        outbox.append("account.unfollowed", { ownerId: target.id, principal: storedPrincipal(principal) }, {});
    });
  }

  /** Ends following in both directions. Joins the running transaction. */
  separate(oneId: number, otherId: number): void {
    store.deleteFollow(this.needs.db, oneId, otherId);
    store.deleteFollow(this.needs.db, otherId, oneId);
  }

  /** The account's followers, or those it follows, that the principal may see, oldest first. */
  list(principal: Principal, side: Side, user: User, paging: Paging): Slice<User> {
    const { access, db, identity } = this.needs;
    const viewer = { isVisible: access.accountCondition("users"), params: access.params(principal) };
    const { ids, total } = store.listFollows(db, side, user.id, viewer, paging);
    const users = identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }
}
