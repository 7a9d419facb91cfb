import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import { preferenceOf, setPreference } from "./store.ts";
import type { RunMailPreference } from "./types.ts";

/** Which mails users want about the runs they started. */
export class RunMailPreferences {
  constructor(private readonly db: Database) {}

  of(userId: number): RunMailPreference {
    return preferenceOf(this.db, userId) ?? "failure-only";
  }

  /** @throws Unauthorised if the caller has no account */
  set(principal: Principal, preference: RunMailPreference): void {
    setPreference(this.db, accountOf(principal).id, preference);
  }
}
