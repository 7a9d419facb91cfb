import type { Database } from "../db/database.ts";

/** Whether the parts that every answer needs are well. */
export class Health {
  constructor(private readonly db: Database) {}

  /** @throws the database's error */
  checkDatabase(): void {
    this.db.query("SELECT 1").get();
  }
}
