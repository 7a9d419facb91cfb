import type { Access } from "../http/route.ts";

/** Who may see and set what accounts may store; REST and pages declare the same by the same name. */

export const ownQuota: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };
/** Rules, groups and everyone's use. */
export const administersQuotas: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
