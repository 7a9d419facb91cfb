import type { SeenRepo } from "../repos/types.ts";
import { FollowService } from "./service.ts";
import * as store from "./store.ts";

/**
 * Watches of repositories. A push can add a watch automatically; accounts that remove such a watch get no automatic one
 * for that repository again (contract issues.md 9.2).
 */
export class WatchService extends FollowService {
  /** @throws Unauthorised no account; Forbidden the owner blocks it */
  override add(seen: SeenRepo): void {
    const { db } = this.parts;
    const { user } = seen.principal;
    db.transaction(() => {
      super.add(seen);
      if (user) store.settleWatch(db, seen.repo.id, user.id);
    });
  }

  /** @throws Unauthorised no account */
  override remove(seen: SeenRepo): void {
    const { db } = this.parts;
    const { user } = seen.principal;
    db.transaction(() => {
      if (user) store.refuseAutoWatch(db, seen.repo.id, user.id);
      super.remove(seen);
    });
  }

  /** Makes a pusher watch the repository, unless they have refused that before. Joins the running transaction. */
  addAuto(repoId: number, userId: number): void {
    store.addAutoWatch(this.parts.db, repoId, userId, this.parts.clock());
  }
}
