import type { Access } from "../http/route.ts";

/** Access declarations for site administration, shared by REST and pages. */

/** Accounts and addresses; a public-only token finds only public ones. */
export const administersAccounts: Access = { who: "admin", scopes: ["admin"], publicOnly: "filtered" };

/** The security audit log. */
export const readsSecurityLog: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };

/** Jobs, schedules and events. */
export const administersBackground: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
