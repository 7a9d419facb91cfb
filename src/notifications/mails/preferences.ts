import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import * as store from "./store.ts";
import type { MailPreference } from "./types.ts";

/** Which mails people get about events. */
export class MailPreferences {
  /** @param unsaid the default */
  constructor(
    private readonly db: Database,
    private readonly unsaid: MailPreference,
  ) {}

  of(userId: number): MailPreference {
    return store.preferenceOf(this.db, userId) ?? this.unsaid;
  }

  /** @throws Unauthorised anonymous */
  set(principal: Principal, preference: MailPreference): void {
    store.setPreference(this.db, accountOf(principal).id, preference);
  }
}
