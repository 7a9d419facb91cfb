import type { Database } from "../db/database.ts";

/** Checks the parts that every answer depends on. */
export class Health {
  constructor(private readonly db: Database) {}

  /** @throws the database's error */
  checkDatabase(): void {
    this.db.query("SELECT 1").get();
  }
}
