import type { AccessParams } from "../access/conditions.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { among, type IdList, weightOf } from "../db/id-lists.ts";
import { UntilWritten } from "../db/until-written.ts";
import type { CacheBudget } from "../kernel/cache.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { idsOfText, idsOfUsers, isRememberable, listsVersion, type UserFilter, type UserOrder } from "./list-store.ts";
import { findUsersByIds } from "./store.ts";

/**
 * Up to this many matches of a text are checked one by one. More are intersected with the cached list without the
 * text.
 */
const MAX_EXAMINED = 300;

/** Lists of accounts, cached until visibility changes, so that pages and totals of large lists are cheap. */
export class AccountLists {
  private readonly ids: UntilWritten<IdList>;

  constructor(
    private readonly db: Database,
    caches: CacheBudget,
  ) {
    this.ids = new UntilWritten(db, caches, weightOf, listsVersion);
  }

  /** @param hasSecondFactor SQL condition for `users` */
  page(
    viewer: { readonly isVisible: string; readonly params: AccessParams },
    hasSecondFactor: string,
    filter: UserFilter,
    order: UserOrder,
    { limit, offset }: Paging,
  ): Slice<User> {
    const { text, searchEmails, ...others } = filter;
    const question = JSON.stringify([viewer.params, others, order]);
    const read = (found?: IdList) => idsOfUsers(this.db, viewer, hasSecondFactor, others, order, found);
    const all = () => (isRememberable(filter, order) ? this.ids.once(question, () => read()) : read());
    const withText = (found: IdList) => (found.length > MAX_EXAMINED ? among(all(), [found]) : read(found));
    const ids = text === "" ? all() : withText(this.withText({ text, searchEmails }));
    return { items: this.inOrder([...ids.subarray(offset, offset + limit)]), total: ids.length };
  }

  /** As `IdentityService.rememberedIds`. */
  remembered(question: readonly unknown[], read: () => IdList): IdList {
    return this.ids.once(JSON.stringify(question), read);
  }

  /** Ids of the accounts matching the text, regardless of visibility. */
  private withText(asked: Pick<UserFilter, "text" | "searchEmails">): IdList {
    return this.ids.once(JSON.stringify(asked), () => idsOfText(this.db, asked));
  }

  private inOrder(ids: readonly number[]): User[] {
    const byId = new Map(findUsersByIds(this.db, ids).map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
