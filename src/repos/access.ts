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
export const signedInReader = onRepo("user", { level: "read" });
export const administersRepo = onRepo("user", { level: "admin" });
export const ownsRepo = onRepo("user", { level: "owner" });
