import type { SeenRepo } from "../repos/types.ts";
import { FollowService } from "./service.ts";
import * as store from "./store.ts";

/**
 * Who watches which repositories. A watch can come by itself with a push; whoever gives such a one back is left alone from
 * then on (contract issues.md 9.2).
 */
export class WatchService extends FollowService {
  /** @throws Unauthorised no account asks; Forbidden the owner blocks it */
  override add(seen: SeenRepo): void {
    const { db } = this.parts;
    const { user } = seen.principal;
    db.transaction(() => {
      super.add(seen);
      if (user) store.settleWatch(db, seen.repo.id, user.id);
    });
  }

  /** @throws Unauthorised no account asks */
  override remove(seen: SeenRepo): void {
    const { db } = this.parts;
    const { user } = seen.principal;
    db.transaction(() => {
      if (user) store.refuseAutoWatch(db, seen.repo.id, user.id);
      super.remove(seen);
    });
  }

  /** Whoever pushes watches from then on, unless they gave that back once. Joins the running transaction. */
  addAuto(repoId: number, userId: number): void {
    store.addAutoWatch(this.parts.db, repoId, userId, this.parts.clock());
  }
}
