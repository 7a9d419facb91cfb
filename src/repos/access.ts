import type { Access } from "../http/route.ts";
import type { RepoNeeds } from "./subject.ts";

/**
 * Who may use the routes of one repository. REST and pages declare the same operation by the same name: the guard words
 * the refusal for each surface, and sessions, the only thing pages accept, have no scopes.
 */

const onRepo = (who: Access["who"], needs: RepoNeeds): Access => ({
  who,
  subject: { kind: "repository", ...needs },
  scopes: ["repository"],
  publicOnly: "filtered",
});

/** Anyone who can see the repository. */
export const seesRepo = onRepo("anyone", { level: "read" });
export const readsCode = onRepo("anyone", { level: "read", unit: "code" });
export const readsRepoPackages = onRepo("anyone", { level: "read", unit: "packages" });
export const signedInReader = onRepo("user", { level: "read" });
export const administersRepo = onRepo("user", { level: "admin" });
export const ownsRepo = onRepo("user", { level: "owner" });

/** Creating one for oneself. */
export const createsOwnRepo: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "refused" };
/** Creating one for another account. */
export const createsRepoForOthers: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };
/** A repository by id: the path does not name its owner and repository. */
export const seesRepoById: Access = { who: "user", scopes: ["repository"], publicOnly: "filtered" };

/** Lists: each repository is checked individually. */
export const listsOwnRepos: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "filtered" };
export const listsReposOf: Access = { who: "anyone", scopes: ["user", "repository"], publicOnly: "filtered" };
export const searchesRepos: Access = { who: "anyone", scopes: ["repository"], publicOnly: "filtered" };
