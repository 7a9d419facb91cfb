import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { AssigneeService } from "../assignees/service.ts";
import * as store from "./store.ts";

export interface LeavingNeeds {
  readonly assignees: AssigneeService;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly repos: RepoService;
}

/** Cleans up after an account loses access to an owner's repositories (contract repositories.md 12.1). */
export class LeavingService {
  constructor(private readonly needs: LeavingNeeds) {}

  /**
   * Unassigns the account from items it can no longer be assigned to, and removes its watches on items it can no longer
   * read. Joins the running transaction.
   * @param repoId undefined: all of the owner's repositories
   */
  leave(ownerId: number, repoId: number | undefined, userId: number): void {
    const { assignees, db, identity, repos } = this.needs;
    const owner = identity.byId(ownerId);
    const user = identity.byId(userId);
    if (!owner || !user) return;
    for (const id of store.reposOfItemsWith(db, ownerId, userId)) {
      const repo = repoId === undefined || id === repoId ? repos.byId(id) : undefined;
      if (!repo) continue;
      if (!assignees.isAssignable({ owner, repo }, user)) store.unassign(db, id, userId);
      if (!repos.mayReadAs(user, id)) store.unwatch(db, id, userId);
    }
  }
}
