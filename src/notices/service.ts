import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import * as store from "./store.ts";

/**
 * What there is to tell, by kind: an area adds its own by declaration merging, and its words under `notice-<kind>`.
 * Never a secret.
 */
export interface NoticeFacts {
  /** A background job failed for good. */
  "job-failed": { readonly id: number; readonly kind: string };
}

export type Notice = {
  readonly [K in keyof NoticeFacts]: {
    readonly id: number;
    readonly kind: K;
    readonly facts: NoticeFacts[K];
    readonly createdAt: number;
  };
}[keyof NoticeFacts];

/** What the server tells its administrators on its own account, until they put it away. */
export class NoticeService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Joins the running transaction, if there is one. */
  add<K extends keyof NoticeFacts>(kind: K, facts: NoticeFacts[K]): void {
    store.insertNotice(this.db, kind, JSON.stringify(facts), this.clock());
  }

  /** The newest first. @throws Forbidden */
  list(principal: Principal, paging: Paging): Slice<Notice> {
    requireSiteAdmin(principal, "read");
    const { items, total } = store.listNotices(this.db, paging);
    // Written by `add` alone, which pairs the kind with its facts.
    return { items: items.map((row) => ({ ...row, facts: JSON.parse(row.facts) }) as Notice), total };
  }

  /** Those that are not there are no matter. @throws Forbidden */
  remove(principal: Principal, ids: readonly number[]): void {
    requireSiteAdmin(principal);
    store.deleteNotices(this.db, ids);
  }

  /** All of them up to that one. @throws Forbidden */
  empty(principal: Principal, upTo: number): void {
    requireSiteAdmin(principal);
    store.deleteNoticesUpTo(this.db, upTo);
  }

  /** Removes notices of before that time (milliseconds since 1970), at most so many. @returns how many */
  prune(before: number, limit: number): number {
    return store.deleteNoticesBefore(this.db, before, limit);
  }
}
