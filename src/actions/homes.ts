import { atLeast } from "../access/levels.ts";
import { accountOf, type Principal } from "../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../access/requirements.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import { requireOwner } from "../organizations/service.ts";
import type { SeenOrganization } from "../organizations/types.ts";
import { unitsOn } from "../repos/settings/defaults.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { ActionsHome, RepoHome } from "./types.ts";

/** The only ways to obtain a home: each checks that the principal may manage its contents (contract actions.md 8.1). */

/** @throws NotFound if the Actions unit is off; Forbidden if the caller is no administrator */
export function homeOfRepo({ access, owner, principal, repo }: SeenRepo): RepoHome {
  if (!atLeast(access.on("actions"), "read") || !unitsOn(repo.settings).has("actions")) throw new NotFound();
  if (!atLeast(access.level, "admin")) throw new Forbidden("repository.needs-admin");
  const place = `${owner.login}/${repo.name}`;
  return { principal, repoId: repo.id, ownerId: undefined, account: owner, place };
}

/** @throws Forbidden if the caller is not an owner */
export function homeOfOrganization(seen: SeenOrganization): ActionsHome {
  requireOwner(seen);
  const { organization, principal } = seen;
  return homeOfAccount(principal, organization);
}

/** The principal's own home. @throws Unauthorised if the caller has no account */
export function ownHome(principal: Principal): ActionsHome {
  return homeOfAccount(principal, accountOf(principal));
}

/** Another account's home, for administrators. @throws Forbidden for anyone else */
export function homeOfOther(
  principal: Principal,
  account: { readonly id: number; readonly login: string },
): ActionsHome {
  requireAccount(principal, account.id);
  return homeOfAccount(principal, account);
}

/** @param level access an administrator's token must have @throws Forbidden if the caller is no site administrator */
export function homeOfSite(principal: Principal, level: "read" | "write"): ActionsHome {
  requireSiteAdmin(principal, level);
  const account = { id: principal.user?.id, login: principal.user?.login ?? "" };
  return { principal, repoId: undefined, ownerId: undefined, account, place: "" };
}

function homeOfAccount(
  principal: Principal,
  { id, login }: { readonly id: number; readonly login: string },
): ActionsHome {
  return { principal, repoId: undefined, ownerId: id, account: { id, login }, place: login };
}
