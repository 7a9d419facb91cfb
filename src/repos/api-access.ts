import type { Access, RepoAccess } from "../http/route.ts";

/** Who may come in at the routes below `/repos/{owner}/{repo}`. */

const onRepo = (who: Access["who"], repo: RepoAccess): Access => ({
  who,
  repo,
  scopes: ["repository"],
  publicOnly: "filtered",
});

/** Whoever sees the repository. */
export const seesRepo = onRepo("anyone", { level: "read" });
export const readsCode = onRepo("anyone", { level: "read", unit: "code" });
export const signedInReader = onRepo("user", { level: "read" });
export const writesCode = onRepo("user", { level: "write", unit: "code", state: "unlocked" });
export const administersRepo = onRepo("user", { level: "admin" });
export const ownsRepo = onRepo("user", { level: "owner" });
