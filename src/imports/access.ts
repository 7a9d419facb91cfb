import type { Access } from "../http/route.ts";

/** Importing a repository. The service checks the owner, which is in the body. */
export const importsRepo: Access = { who: "user", scopes: ["repository"], publicOnly: "refused" };
