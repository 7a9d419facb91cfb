import type { Access } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";
import { organizationOwner } from "../organizations/access.ts";

/** Who may manage the variables, secrets and runners of Actions. */

const settingsOfRepo = (level: "admin" | "owner"): Access => ({
  who: "user",
  subject: { kind: "repository", level, unit: "actions", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
});

/** REST is for the owner (contract actions.md 8.1), the settings pages for administrators (web.md 1.11). */
export const actionsOfRepo = settingsOfRepo("owner");
export const actionsPagesOfRepo = settingsOfRepo("admin");
export const actionsOfOrganization = organizationOwner;
export const actionsOfAccount = ownAccount;
export const actionsOfSite: Access = { who: "admin", scopes: ["admin"], publicOnly: "refused" };

const onRuns = (who: Access["who"], level: "read" | "write"): Access => ({
  who,
  subject: { kind: "repository", level, unit: "actions", unreadable: "missing" },
  scopes: ["repository"],
  publicOnly: "filtered",
});

/** Who may see runs and their output (contract actions.md 8.11). */
export const readsRuns = onRuns("anyone", "read");
/** Lists and logs require an account, even on public repositories. */
export const signedInReadsRuns = onRuns("user", "read");
export const writesRuns = onRuns("user", "write");
