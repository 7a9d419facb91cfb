import type { RepoCredential } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { RepoHome } from "../types.ts";
import { elsewhere, type TokenUnits } from "./permissions.ts";
import * as store from "./readers-store.ts";

declare module "../../audit/actions.ts" {
  interface AuditActions {
    "actions-reader-added": { readonly name: string; readonly place: string };
    "actions-reader-removed": { readonly name: string; readonly place: string };
  }
}

export interface ReaderParts {
  readonly audit: AuditService;
  readonly db: Database;
  readonly identity: IdentityService;
}

const MAX_READERS = 100;

/**
 * Which jobs of other repositories may read a private one: those of its owner's repositories, or of private
 * repositories of accounts it works with (contract actions.md 7.1).
 */
export class JobReaders {
  constructor(private readonly parts: ReaderParts) {}

  /** The accounts, ordered by ID. */
  of({ repoId }: RepoHome): User[] {
    const { db, identity } = this.parts;
    const ids = store.readersOf(db, repoId);
    const found = identity.byIds(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** @throws ValidationFailed if there is no such account, or there are too many */
  add(home: RepoHome, name: string): void {
    const { audit, db, identity } = this.parts;
    const field = "collaborative_owner";
    const account = identity.byLogin(name);
    // Callers who may not see an account do not learn that it exists.
    if (!account || account.kind === "reserved" || !identity.sees(home.principal, account))
      throw new ValidationFailed("actions.no-such-reader", { field, params: { name } });
    db.transaction(() => {
      if (store.readersOf(db, home.repoId).length >= MAX_READERS)
        throw new ValidationFailed("actions.too-many", { field, params: { max: MAX_READERS } });
      if (!store.addReader(db, home.repoId, account.id)) return;
      audit.append(home.principal, "actions-reader-added", home.account, { name: account.login, place: home.place });
    });
  }

  /** @returns its name @throws NotFound if it is not one of the readers */
  remove(home: RepoHome, accountId: number): string {
    const { audit, db, identity } = this.parts;
    return db.transaction(() => {
      if (!store.removeReader(db, home.repoId, accountId)) throw new NotFound();
      const name = identity.byId(accountId)?.login ?? "";
      audit.append(home.principal, "actions-reader-removed", home.account, { name, place: home.place });
      return name;
    });
  }
}

/** What the jobs of a repository may do, in it and elsewhere. @param isOfFork whether a stranger's code runs */
export function jobCredential(db: Database, repo: store.JobHome, units: TokenUnits, isOfFork: boolean): RepoCredential {
  const own = { repoId: repo.id, units };
  const repoIds = isOfFork ? [] : store.readableFrom(db, repo);
  return repoIds.length === 0 ? own : { ...own, elsewhere: { repoIds, units: elsewhere(units) } };
}
