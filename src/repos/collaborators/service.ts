import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { User } from "../../identity/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { atLeast, type Level } from "../../kernel/permissions.ts";
import { grantedLevel } from "../store.ts";
import type { Collaborator, SeenRepo } from "../types.ts";
import { removeWatch } from "../watching/store.ts";
import { collaboratorsOf, deleteCollaborator, putCollaborator } from "./store.ts";

/** People who were given a level on one repository. */
export class CollaboratorService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly identity: IdentityService,
    private readonly clock: Clock,
  ) {}

  list(repoId: number, paging: Paging): Slice<Collaborator> {
    const { items, total } = collaboratorsOf(this.db, repoId, paging.limit, paging.offset);
    const users = this.identity.byIds(items.map((item) => item.userId));
    return {
      items: items.flatMap(({ userId, level, createdAt }) => {
        const user = users.get(userId);
        return user ? [{ user, level, createdAt }] : [];
      }),
      total,
    };
  }

  isCollaborator(repoId: number, user: User): boolean {
    return grantedLevel(this.db, repoId, user.id) !== "none";
  }

  /**
   * Adds a person or changes the level; nobody grants more than he holds (security rule A16).
   * @throws ValidationFailed the level, or an account that cannot collaborate
   */
  put(seen: SeenRepo, user: User, level: string, actor: User): void {
    if (level !== "read" && level !== "write" && level !== "admin")
      throw new ValidationFailed("[Permission]: In", "permission");
    if (!atLeast(seen.access.level, level))
      throw new Forbidden("user should be an owner or a collaborator with admin write of a repository");
    if (user.id === seen.owner.id || user.kind === "organization" || user.kind === "reserved")
      throw new ValidationFailed(`${user.login} cannot be a collaborator of this repository`, "collaborator");
    if (!user.isActive) throw new ValidationFailed("collaborator's account is inactive", "collaborator");
    this.db.transaction(() => {
      putCollaborator(this.db, seen.repo.id, user.id, level satisfies Level, this.clock());
      this.outbox.append("collaborator.added", { repoId: seen.repo.id, actorId: actor.id }, { userId: user.id, level });
    });
  }

  /** Harmless when he is none. */
  remove(seen: SeenRepo, user: User, actor: User): void {
    this.db.transaction(() => {
      if (!deleteCollaborator(this.db, seen.repo.id, user.id)) return;
      // Somebody who cannot see a repository does not watch it either.
      if (seen.repo.isPrivate) removeWatch(this.db, seen.repo.id, user.id);
      this.outbox.append("collaborator.removed", { repoId: seen.repo.id, actorId: actor.id }, { userId: user.id });
    });
  }
}
