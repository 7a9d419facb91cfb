import type { Access } from "../http/route.ts";

/** Access declarations for quotas, shared by REST and pages. */

export const ownQuota: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };
/** Rules, groups and everyone's usage. */
export const administersQuotas: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
