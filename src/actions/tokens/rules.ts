import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { ActionsHome } from "../types.ts";
import * as store from "./store.ts";

declare module "../../audit/actions.ts" {
  interface AuditActions {
    "actions-token-rule-set": { readonly rule: TokenRule; readonly place: string };
  }
}

/**
 * What job tokens may do if the workflow states no permissions: `permissive` everything in the repository, `restricted`
 * read its code, packages and releases, `inherited` what the owner sets; by default everything.
 */
export const tokenRules = ["inherited", "permissive", "restricted"] as const;
export type TokenRule = (typeof tokenRules)[number];

/** Settings of repositories and accounts for the tokens of their jobs (contract actions.md 3.9). */
export class TokenRules {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditService,
  ) {}

  of(home: ActionsHome): TokenRule {
    const isRestricted = store.restrictionOf(this.db, home);
    return isRestricted === undefined ? "inherited" : isRestricted ? "restricted" : "permissive";
  }

  /** @throws ValidationFailed if there is no such rule */
  set(home: ActionsHome, given: string): void {
    const rule = tokenRules.find((known) => known === given);
    if (!rule) throw new ValidationFailed("value.not-allowed", { field: "token_rule", params: { name: "TokenRule" } });
    const { account, place, principal } = home;
    this.db.transaction(() => {
      store.putRestriction(this.db, home, rule === "inherited" ? undefined : rule === "restricted");
      this.audit.append(principal, "actions-token-rule-set", account, { rule, place });
    });
  }
}
