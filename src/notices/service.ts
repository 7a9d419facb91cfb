import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import * as store from "./store.ts";

/**
 * The facts of a notice, by kind: an area adds its own by declaration merging, with a message under `notice-<kind>`.
 * Never a secret.
 */
export interface NoticeFacts {
  /** A background job failed permanently. */
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

/** The server's notices to its administrators, until dismissed. */
export class NoticeService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Joins the running transaction, if there is one. */
  add<K extends keyof NoticeFacts>(kind: K, facts: NoticeFacts[K]): void {
    store.insertNotice(this.db, kind, JSON.stringify(facts), this.clock());
  }

  /** Newest first. @throws Forbidden */
  list(principal: Principal, paging: Paging): Slice<Notice> {
    requireSiteAdmin(principal, "read");
    const { items, total } = store.listNotices(this.db, paging);
    // Written only by `add`, which pairs the kind with its facts.
    return { items: items.map((row) => ({ ...row, facts: JSON.parse(row.facts) }) as Notice), total };
  }

  /** Ignores missing ones. @throws Forbidden */
  remove(principal: Principal, ids: readonly number[]): void {
    requireSiteAdmin(principal);
    store.deleteNotices(this.db, ids);
  }

  /** Removes all up to that one. @throws Forbidden */
  empty(principal: Principal, upTo: number): void {
    requireSiteAdmin(principal);
    store.deleteNoticesUpTo(this.db, upTo);
  }

  /** Removes notices from before that time (milliseconds since 1970), up to the limit. @returns how many */
  prune(before: number, limit: number): number {
    return store.deleteNoticesBefore(this.db, before, limit);
  }
}
