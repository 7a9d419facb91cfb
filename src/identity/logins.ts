import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import * as store from "./store.ts";
import { checkAccountName } from "./values.ts";

/** Names of accounts and organizations, which share one namespace (contract identity.md 8.4 and 8.7). */

export interface LoginParts {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** @throws ValidationFailed another account has that name, in any letter case */
export function requireFreeLogin(db: Database, login: string, exceptId?: number): void {
  const taken = store.findUserByLogin(db, login);
  if (taken && taken.id !== exceptId)
    throw new ValidationFailed("account.name-taken", { field: "username", params: { name: login } });
}

/**
 * Renames an account; its former name redirects to it from then on. Joins the running transaction.
 * @throws ValidationFailed a name that is malformed, reserved or taken
 */
export function changeLogin({ db, outbox, clock }: LoginParts, principal: Principal, user: User, login: string): void {
  checkAccountName(login);
  requireFreeLogin(db, login, user.id);
  store.removeUserRedirect(db, login);
  if (login.toLowerCase() !== user.login.toLowerCase()) store.addUserRedirect(db, user.login, user.id);
  store.renameUser(db, user.id, login, clock());
  outbox.append(
    "user.renamed",
    { principal: storedPrincipal(principal), ownerId: user.id },
    { from: user.login, to: login },
  );
}
