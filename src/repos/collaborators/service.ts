import { atLeast, type Level } from "../../access/levels.ts";
import type { User } from "../../access/user.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { grantedLevel } from "../store.ts";
import type { Collaborator, SeenRepo } from "../types.ts";
import {
  collaborationsWith,
  collaboratorsAmong,
  collaboratorsOf,
  deleteCollaborator,
  putCollaborator,
} from "./store.ts";

/**
 * Administrators of a repository see all collaborators, hidden accounts included; others see only accounts visible to
 * them (security rule C6).
 */
const knowsAll = ({ access, principal }: SeenRepo) => atLeast(access.level, "admin") && !principal.scope?.publicOnly;

/** More than any repository has. */
const MAX_COLLABORATORS = 10_000;

/** Accounts with an individual access level on a repository. */
export class CollaboratorService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly identity: IdentityService,
    private readonly blocks: BlockService,
    private readonly clock: Clock,
  ) {}

  /** The collaborators visible to the principal. */
  list(seen: SeenRepo, paging: Paging): Slice<Collaborator> {
    const { principal, repo } = seen;
    if (knowsAll(seen)) {
      const { items, total } = collaboratorsOf(this.db, repo.id, paging.limit, paging.offset);
      return { items: this.withUsers(items), total };
    }
    const all = this.withUsers(collaboratorsOf(this.db, repo.id, MAX_COLLABORATORS, 0).items);
    const shown = all.filter(({ user }) => this.identity.sees(principal, user));
    return { items: shown.slice(paging.offset, paging.offset + paging.limit), total: shown.length };
  }

  /**
   * Whether the principal may see this account here: it is visible to them anyway, or collaborates on a repository they
   * administer.
   */
  isShown(seen: SeenRepo, user: User): boolean {
    return this.identity.sees(seen.principal, user) || (knowsAll(seen) && this.isCollaborator(seen, user));
  }

  private withUsers(items: readonly { userId: number; level: Level; createdAt: number }[]): Collaborator[] {
    const users = this.identity.byIds(items.map((item) => item.userId));
    return items.flatMap(({ userId, level, createdAt }) => {
      const user = users.get(userId);
      return user ? [{ user, level, createdAt }] : [];
    });
  }

  /** Which of these accounts are collaborators. */
  among({ repo }: SeenRepo, userIds: readonly number[]): ReadonlySet<number> {
    return new Set(collaboratorsAmong(this.db, repo.id, userIds));
  }

  isCollaborator({ repo }: SeenRepo, user: User): boolean {
    return grantedLevel(this.db, repo.id, user.id) !== "none";
  }

  /**
   * Adds a collaborator or changes their level; nobody can grant more than they hold (security rule A16).
   * @throws ValidationFailed bad level, or an account that cannot collaborate; Forbidden one blocks the other
   */
  put(seen: SeenRepo, user: User, level: string): void {
    if (level !== "read" && level !== "write" && level !== "admin")
      throw new ValidationFailed("value.not-allowed", { field: "permission", params: { name: "Permission" } });
    if (!atLeast(seen.access.level, level)) throw new Forbidden("repository.needs-admin");
    if (user.id === seen.owner.id || user.kind === "organization" || user.kind === "reserved")
      throw new ValidationFailed("collaborator.not-allowed", { field: "collaborator", params: { name: user.login } });
    this.blocks.requireUnblocked(seen.owner, user);
    this.blocks.requireUnblocked(user, seen.owner);
    if (!user.isActive) throw new ValidationFailed("collaborator.inactive", { field: "collaborator" });
    this.db.transaction(() => {
      putCollaborator(this.db, seen.repo.id, user.id, level satisfies Level, this.clock());
      this.outbox.append(
        "collaborator.added",
        { repoId: seen.repo.id, ownerId: seen.owner.id, principal: storedPrincipal(seen.principal) },
        { userId: user.id, level },
      );
      this.tellAccess(seen, user);
    });
  }

  /** Does nothing if they are not a collaborator. */
  remove(seen: SeenRepo, user: User): void {
    this.db.transaction(() => {
      if (!deleteCollaborator(this.db, seen.repo.id, user.id)) return;
      this.outbox.append(
        "collaborator.removed",
        { repoId: seen.repo.id, ownerId: seen.owner.id, principal: storedPrincipal(seen.principal) },
        { userId: user.id },
      );
      this.tellAccess(seen, user);
    });
  }

  /** All collaborators, without an access check. */
  all({ repo }: SeenRepo): Collaborator[] {
    return this.withUsers(collaboratorsOf(this.db, repo.id, MAX_COLLABORATORS, 0).items);
  }

  /** Removes an account's collaborations on everything another account owns. Joins the running transaction. */
  removeFromOwner(owner: User, user: User): void {
    for (const repoId of collaborationsWith(this.db, owner.id, user.id)) {
      deleteCollaborator(this.db, repoId, user.id);
      this.outbox.append("collaborator.removed", { repoId, ownerId: owner.id }, { userId: user.id });
      this.outbox.append("access.changed", { repoId, ownerId: owner.id }, { userId: user.id });
    }
  }

  private tellAccess({ repo, owner }: SeenRepo, user: User): void {
    this.outbox.append("access.changed", { repoId: repo.id, ownerId: owner.id }, { userId: user.id });
  }
}
