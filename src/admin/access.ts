import type { Access } from "../http/route.ts";

/** Who may use what concerns the whole site: one declaration for each, for REST and pages alike. */

/** Accounts and addresses; a public-only token finds those that everyone sees. */
export const administersAccounts: Access = { who: "admin", scopes: ["admin"], publicOnly: "filtered" };

/** The record of security events. */
export const readsSecurityLog: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };

/** Jobs, schedules and events. */
export const administersBackground: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
