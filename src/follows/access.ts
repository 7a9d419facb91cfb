import type { Access } from "../http/route.ts";

/** Access declarations for following, shared by REST and pages. A public-only token sees public accounts. */
export const followsAccounts: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
