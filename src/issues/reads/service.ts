import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** How far people have read items. */
export class ItemReads {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** When the viewer last read the item; undefined if never, or for anonymous viewers. */
  until({ issue, seen }: SeenIssue): number | undefined {
    const { user } = seen.principal;
    return user && store.findRead(this.db, user.id, issue.id);
  }

  /** Marks the item as read by the viewer. Reloading a page without changes writes nothing. */
  visit(item: SeenIssue): void {
    const { issue, seen } = item;
    const { user } = seen.principal;
    const before = this.until(item);
    if (!user || (before !== undefined && before > issue.updatedAt)) return;
    this.db.transaction(() => store.putRead(this.db, user.id, issue.id, this.clock()));
  }
}
