import type { Access } from "../http/route.ts";
import type { RepoNeeds } from "./subject.ts";

/**
 * Who may come in at the routes of one repository. REST and pages declare the same operation by the same name: the guard
 * gives each surface its own refusal, and a session, which is all that pages take, has no scopes.
 */

const onRepo = (who: Access["who"], needs: RepoNeeds): Access => ({
  who,
  subject: { kind: "repository", ...needs },
  scopes: ["repository"],
  publicOnly: "filtered",
});

/** Whoever sees the repository. */
export const seesRepo = onRepo("anyone", { level: "read" });
export const readsCode = onRepo("anyone", { level: "read", unit: "code" });
export const readsRepoPackages = onRepo("anyone", { level: "read", unit: "packages" });
export const signedInReader = onRepo("user", { level: "read" });
export const administersRepo = onRepo("user", { level: "admin" });
export const ownsRepo = onRepo("user", { level: "owner" });

/** Making one for oneself. */
export const createsOwnRepo: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "refused" };
/** Making one for another account. */
export const createsRepoForOthers: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
/** One by its number: what is asked for is not in the path as owner and name. */
export const seesRepoById: Access = { who: "user", scopes: ["repository"], publicOnly: "filtered" };

/** Lists: what is in them is decided for each repository. */
export const listsOwnRepos: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "filtered" };
export const listsReposOf: Access = { who: "anyone", scopes: ["user", "repository"], publicOnly: "filtered" };
export const searchesRepos: Access = { who: "anyone", scopes: ["repository"], publicOnly: "filtered" };
