import type { Access } from "../http/route.ts";

/** Who may use what concerns following: one declaration for REST and pages alike. A public-only token sees public accounts. */
export const followsAccounts: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
