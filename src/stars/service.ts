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

/** Stars, or watches: who follows which repositories (contract repositories.md 14). */
export class FollowService {
  constructor(
    private readonly follow: Follow,
    protected readonly parts: FollowParts,
  ) {}

  /** Whether whoever asks follows the repository; visitors follow none. */
  isFollowed({ principal, repo }: SeenRepo): boolean {
    const { user } = principal;
    return user !== undefined && store.follows(this.parts.db, this.follow, repo.id, user.id);
  }

  /** How many follow it, whoever may be told who they are. */
  count({ repo }: SeenRepo): number {
    return store.countFollowers(this.parts.db, this.follow, repo.id);
  }

  /** Harmless when it is so already. @throws Unauthorised no account asks; Forbidden the owner blocks it */
  add(seen: SeenRepo): void {
    if (seen.principal.user) this.parts.blocks.requireUnblocked(seen.owner, seen.principal.user);
    this.change(seen, "added", store.addFollow);
  }

  /** Harmless when it is so already. @throws Unauthorised no account asks */
  remove(seen: SeenRepo): void {
    this.change(seen, "removed", store.removeFollow);
  }

  /** Those of the repository's followers whom the principal sees, the first first. */
  followers({ principal, repo }: SeenRepo, paging: Paging): Slice<User> {
    const { access, db, identity } = this.parts;
    const viewer = { isVisible: access.accountCondition("users"), params: access.params(principal) };
    const { ids, total } = store.followersOf(db, this.follow, repo.id, viewer, paging);
    const users = identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }

  /**
   * What an account follows and the principal sees now, the newest first; of another account only what is public. The
   * caller has decided that the account may be seen.
   */
  followedBy(principal: Principal, user: User, paging: Paging): Slice<SeenRepo> {
    const { access, db, repoSearch } = this.parts;
    const viewer = { isVisible: access.repoCondition(), params: access.params(principal) };
    const question = [this.follow, viewer.params, user.id];
    return repoSearch.listed(principal, question, paging, () => store.followedBy(db, this.follow, user.id, viewer));
  }

  /** Everyone who follows the repository, whoever may be told who they are. */
  followerIds(repoId: number): number[] {
    return store.followerIds(this.parts.db, this.follow, repoId);
  }

  /** Whoever creates a repository follows it. Joins the running transaction. */
  addCreator(repoId: number, userId: number): void {
    store.addFollow(this.parts.db, this.follow, repoId, userId, this.parts.clock());
  }

  /** The repository became private: no one follows it any more. Joins the running transaction. */
  removeAll(repoId: number): void {
    store.removeFollowsOf(this.parts.db, this.follow, repoId);
  }

  /** The account lost a right: whoever does not see the repository does not follow it. Joins the running transaction. */
  removeUnlessSeen(repoId: number, userId: number): void {
    const { db, identity, repos } = this.parts;
    const user = identity.byId(userId);
    if (!user || !repos.mayRead(asAccount(user), repoId, undefined))
      store.removeFollow(db, this.follow, repoId, userId);
  }

  /** The account follows nothing more that this owner has. Joins the running transaction. */
  removeFromOwner(ownerId: number, userId: number): void {
    store.removeFollowsWithOwner(this.parts.db, this.follow, ownerId, userId);
  }

  /** The account lost rights on what the owner has: it follows only what it still sees. Joins the running transaction. */
  removeUnseenFromOwner(ownerId: number, userId: number): void {
    const { access, db, identity } = this.parts;
    const user = identity.byId(userId);
    if (!user) return;
    const viewer = { isVisible: access.repoCondition(), params: access.params(asAccount(user)) };
    store.removeUnseen(db, this.follow, ownerId, userId, viewer);
  }

  /** Everyone who follows something of what the owner has. */
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
