import { accountOf } from "../../access/principal.ts";
import { administersSite } from "../../access/requirements.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { FollowService } from "../../stars/service.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

export interface ItemWatchNeeds {
  readonly access: AccessControl;
  readonly db: Database;
  readonly identity: IdentityService;
  /** Watches of repositories. */
  readonly watches: FollowService;
}

/** Subscriptions to items (contract issues.md 9.1). */
export class ItemWatches {
  constructor(private readonly needs: ItemWatchNeeds) {}

  /**
   * Whether the caller's account watches the item: its explicit choice, else whether it participates or watches the
   * repository.
   */
  isWatching({ issue, seen }: SeenIssue): boolean {
    const { db, watches } = this.needs;
    const user = accountOf(seen.principal);
    return (
      store.findWatch(db, issue.id, user.id) ?? (watches.isFollowed(seen) || store.takesPart(db, issue.id, user.id))
    );
  }

  /** Accounts that chose to watch it, as far as visible to the principal. */
  list({ issue, seen }: SeenIssue, paging: Pick<Paging, "limit" | "offset">): Slice<User> {
    const { access, db, identity } = this.needs;
    const viewer = { isVisible: access.accountCondition("users"), params: access.params(seen.principal) };
    const { items, total } = store.watchersOf(db, issue.id, viewer, paging);
    const users = identity.byIds(items);
    return { items: items.flatMap((id) => users.get(id) ?? []), total };
  }

  /**
   * Sets an account's choice to watch an item or not.
   * @returns whether the choice changed
   * @throws Forbidden for another account, unless the caller is a site administrator
   */
  set({ issue, seen }: SeenIssue, user: User, isWatching: boolean): boolean {
    const doer = accountOf(seen.principal);
    if (doer.id !== user.id && !administersSite(seen.principal)) {
      const params = { doer: doer.login, name: user.login };
      throw new Forbidden("issue.watch-of-another", { params });
    }
    return store.putWatch(this.needs.db, issue.id, user.id, isWatching);
  }
}
