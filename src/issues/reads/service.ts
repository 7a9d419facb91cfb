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

  /**
   * Whoever sees the item has it before them now.
   * @returns up to where they had read before; undefined: never, or nobody is signed in
   */
  visit({ issue, seen }: SeenIssue): number | undefined {
    const { user } = seen.principal;
    if (!user) return undefined;
    const before = store.findRead(this.db, user.id, issue.id);
    // Whoever has seen all of it needs no row: a page that is only looked at writes nothing.
    if (before === undefined || before <= issue.updatedAt)
      this.db.transaction(() => store.putRead(this.db, user.id, issue.id, this.clock()));
    return before;
  }
}
