import { asAccount, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Unauthorised } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { RepoSearch } from "../repos/search/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import { followEvents } from "./events.ts";
import * as store from "./store.ts";
import type { Follow } from "./types.ts";

export interface FollowParts {
  readonly access: AccessControl;
  readonly blocks: BlockService;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly outbox: Outbox;
  readonly repos: RepoService;
  readonly repoSearch: RepoSearch;
}

/** Stars or watches of repositories (contract repositories.md 14). */
export class FollowService {
  constructor(
    private readonly follow: Follow,
    protected readonly parts: FollowParts,
  ) {}

  /** Whether the principal follows the repository; anonymous principals follow none. */
  isFollowed({ principal, repo }: SeenRepo): boolean {
    const { user } = principal;
    return user !== undefined && store.follows(this.parts.db, this.follow, repo.id, user.id);
  }

  /** Number of followers, including those the principal cannot see. */
  count({ repo }: SeenRepo): number {
    return store.countFollowers(this.parts.db, this.follow, repo.id);
  }

  /** Does nothing if already followed. @throws Unauthorised no account; Forbidden the owner blocks it */
  add(seen: SeenRepo): void {
    if (seen.principal.user) this.parts.blocks.requireUnblocked(seen.owner, seen.principal.user);
    this.change(seen, "added", store.addFollow);
  }

  /** Does nothing if not followed. @throws Unauthorised no account */
  remove(seen: SeenRepo): void {
    this.change(seen, "removed", store.removeFollow);
  }

  /** The repository's followers visible to the principal, oldest first. */
  followers({ principal, repo }: SeenRepo, paging: Paging): Slice<User> {
    const { access, db, identity } = this.parts;
    const viewer = { isVisible: access.accountCondition("users"), params: access.params(principal) };
    const { ids, total } = store.followersOf(db, this.follow, repo.id, viewer, paging);
    const users = identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }

  /**
   * Repositories an account follows that the principal can see now, newest first; for other accounts only public ones.
   * The caller has checked that the account is visible.
   */
  followedBy(principal: Principal, user: User, paging: Paging): Slice<SeenRepo> {
    const { access, db, repoSearch } = this.parts;
    const viewer = { isVisible: access.repoCondition(), params: access.params(principal) };
    const question = [this.follow, viewer.params, user.id];
    return repoSearch.listed(principal, question, paging, () => store.followedBy(db, this.follow, user.id, viewer));
  }

  /** All followers of the repository, including those hidden from others. */
  followerIds(repoId: number): number[] {
    return store.followerIds(this.parts.db, this.follow, repoId);
  }

  /** Makes a repository's creator follow it. Joins the running transaction. */
  addCreator(repoId: number, userId: number): void {
    store.addFollow(this.parts.db, this.follow, repoId, userId, this.parts.clock());
  }

  /** Removes all follows of a repository that became private. Joins the running transaction. */
  removeAll(repoId: number): void {
    store.removeFollowsOf(this.parts.db, this.follow, repoId);
  }

  /** Removes an account's follow if it can no longer see the repository. Joins the running transaction. */
  removeUnlessSeen(repoId: number, userId: number): void {
    const { db, identity, repos } = this.parts;
    const user = identity.byId(userId);
    if (!user || !repos.mayRead(asAccount(user), repoId, undefined))
      store.removeFollow(db, this.follow, repoId, userId);
  }

  /** Removes an account's follows of everything this owner has. Joins the running transaction. */
  removeFromOwner(ownerId: number, userId: number): void {
    store.removeFollowsWithOwner(this.parts.db, this.follow, ownerId, userId);
  }

  /**
   * Removes an account's follows of the owner's repositories that it can no longer see. Joins the running transaction.
   */
  removeUnseenFromOwner(ownerId: number, userId: number): void {
    const { access, db, identity } = this.parts;
    const user = identity.byId(userId);
    if (!user) return;
    const viewer = { isVisible: access.repoCondition(), params: access.params(asAccount(user)) };
    store.removeUnseen(db, this.follow, ownerId, userId, viewer);
  }

  /** Everyone who follows at least one of the owner's repositories. */
  followersOfOwner(ownerId: number): number[] {
    return store.followersOfOwner(this.parts.db, this.follow, ownerId);
  }

  private change(
    { principal, repo, owner }: SeenRepo,
    how: "added" | "removed",
    write: (db: Database, follow: Follow, repoId: number, userId: number, now: number) => boolean,
  ): void {
    const { clock, db, outbox } = this.parts;
    const { user } = principal;
    if (!user) throw new Unauthorised();
    db.transaction(() => {
      if (!write(db, this.follow, repo.id, user.id, clock())) return;
      const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
      outbox.append(followEvents[this.follow][how], context, {});
    });
  }
}
