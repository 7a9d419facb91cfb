import type { Database } from "../../db/database.ts";

/** Former names of branches, so that old links keep working. An existing branch always wins over one of these. */
export class RenamedBranches {
  constructor(private readonly db: Database) {}

  /** undefined if no branch had that name. */
  presentName(repoId: number, formerName: string): string | undefined {
    let name = formerName;
    // A branch renamed several times leaves a chain; the limit ends cycles.
    for (let step = 0; step < 10; step++) {
      const next = this.db
        .query<{ present_name: string }>(
          "SELECT present_name FROM renamed_branches WHERE repo_id = ? AND former_name = ?",
        )
        .get(repoId, name)?.present_name;
      if (next === undefined || next === formerName) break;
      name = next;
    }
    return name === formerName ? undefined : name;
  }

  /** Joins the running transaction. */
  record(repoId: number, formerName: string, presentName: string): void {
    this.db.query("DELETE FROM renamed_branches WHERE repo_id = ? AND former_name = ?").run(repoId, presentName);
    this.db
      .query("INSERT OR REPLACE INTO renamed_branches (repo_id, former_name, present_name) VALUES (?, ?, ?)")
      .run(repoId, formerName, presentName);
  }
}
