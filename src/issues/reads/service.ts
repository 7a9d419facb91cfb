import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** Up to where people have read items. */
export class ItemReads {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Up to where whoever sees the item has read it; undefined: never, or nobody is signed in. */
  until({ issue, seen }: SeenIssue): number | undefined {
    const { user } = seen.principal;
    return user && store.findRead(this.db, user.id, issue.id);
  }

  /** Whoever sees the item has it before them now. A page that is only looked at again writes nothing. */
  visit(item: SeenIssue): void {
    const { issue, seen } = item;
    const { user } = seen.principal;
    const before = this.until(item);
    if (!user || (before !== undefined && before > issue.updatedAt)) return;
    this.db.transaction(() => store.putRead(this.db, user.id, issue.id, this.clock()));
  }
}
