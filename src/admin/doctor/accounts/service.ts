import type { Database } from "../../../db/database.ts";
import type { Problem } from "../problem.ts";
import * as store from "./store.ts";

/** Maximum number of examples per kind. */
const MAX_NAMED = 20;
/** Deleted rows may have been parents of others. */
const MAX_ROUNDS = 10;

/** Checks the consistency of the rows about people, organizations, teams and rights, for `hearth doctor`. */
export class AccountInspector {
  constructor(private readonly db: Database) {}

  inspect(): (Problem & { readonly subject?: string })[] {
    const orphans = store
      .orphanedRows(this.db)
      .map(({ table, parent }) => ({ code: "database.dangling-row", params: { table, parent }, canFix: true }));
    const wrong = store.accountChecks.flatMap((check) =>
      store.failing(this.db, check, MAX_NAMED).map((name) => ({
        code: check.code,
        canFix: check.repair !== undefined,
        subject: name,
      })),
    );
    return [...orphans, ...wrong];
  }

  /** Repairs what can be repaired, in one transaction. */
  repair(): void {
    this.db.transaction(() => {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const orphans = store.orphanedRows(this.db);
        if (orphans.length === 0) break;
        for (const orphaned of orphans) store.removeOrphans(this.db, orphaned);
      }
      for (const check of store.accountChecks)
        if (store.failing(this.db, check, 1).length > 0) store.repair(this.db, check);
    });
  }
}
