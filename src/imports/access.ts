import type { Access } from "../http/route.ts";

/** Bringing a repository in. For whom is decided by the service: the owner is in the body. */
export const importsRepo: Access = { who: "user", scopes: ["repository"], publicOnly: "refused" };
