import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import { checkRepoName } from "../../kernel/names.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoRegistration } from "../creation/registration.ts";
import type { RepoRemoval } from "../removal.ts";
import type { RepoService } from "../service.ts";
import type { Repo } from "../types.ts";
import * as store from "./store.ts";

/** A deleted repository that can still be restored. */
export interface BinnedRepo {
  readonly id: number;
  readonly owner: User;
  readonly name: string;
  readonly sizeBytes: number;
  readonly deletedAt: number;
  /** Also absent if that account was deleted. */
  readonly deletedBy?: User;
  /** When it is deleted for good. */
  readonly goesAt: number;
}

export interface BinParts {
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly outbox: Outbox;
  readonly repoRegistration: RepoRegistration;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  /** Days for which a deleted repository can be restored; 0 disables that. */
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** The bin: recently deleted repositories that owners and site administrators can restore. */
export class RepoBin {
  constructor(private readonly parts: BinParts) {}

  /**
   * Deleted repositories that the principal owns, whoever deleted them, most recently deleted first.
   * @param owners only those of these accounts; undefined: of any account
   */
  list(principal: Principal, owners: readonly User[] | undefined, paging: Paging): Slice<BinnedRepo> {
    const ids = owners?.map(({ id }) => id);
    return this.shown(store.binned(this.parts.db, this.viewer(principal), ids, paging));
  }

  /**
   * Restores a repository with everything it had when deleted, except stars and watches.
   * @param name new name; empty keeps the old one
   * @throws NotFound not in the bin, or the principal does not own it; ValidationFailed bad name; Conflict name taken;
   * Forbidden the owner has reached the repository limit
   */
  restore(principal: Principal, id: number, name = ""): Repo {
    const { clock, db, outbox, repoRegistration, repos } = this.parts;
    return db.transaction(() => {
      const { row, owner } = this.require(principal, id);
      const wanted = name || row.name;
      checkRepoName(wanted);
      if (repos.find(owner, wanted)) throw new Conflict("repository.name-taken", { field: "name" });
      repoRegistration.requireRoom(principal, owner, { isPrivate: row.isPrivate === 1, moreBytes: row.sizeBytes });
      const base = row.forkOf === null ? undefined : repos.byId(row.forkOf);
      // An owner has at most one fork of a repository; another may have been made meanwhile.
      const isFork = base !== undefined && repos.forkOf(base.id, owner.id) === undefined;
      store.takeOutOfBin(db, id, { name: wanted, forkOf: isFork ? base.id : null, now: clock() });
      const context = { repoId: id, ownerId: owner.id, principal: storedPrincipal(principal) };
      outbox.append("repo.restored", context, { name: wanted });
      outbox.append("access.changed", { repoId: id, ownerId: owner.id }, { userId: null });
      const repo = repos.byId(id);
      if (!repo) throw new NotFound();
      return repo;
    });
  }

  /** Deletes a binned repository for good. @throws NotFound not in the bin, or the principal does not own it */
  purge(principal: Principal, id: number): void {
    const { db, repoRemoval } = this.parts;
    db.transaction(() => {
      this.require(principal, id);
      repoRemoval.removeBinned(id);
    });
  }

  /** Empties the bin of an account about to be deleted. Joins the running transaction. */
  purgeOf(ownerId: number): void {
    for (const id of store.binnedOf(this.parts.db, ownerId)) this.parts.repoRemoval.removeBinned(id);
  }

  /** Deletes for good up to `limit` repositories that were deleted before that time. @returns how many */
  prune(before: number, limit: number): number {
    const { db, repoRemoval } = this.parts;
    return db.transaction(() => {
      const ids = store.binnedBefore(db, before, limit);
      for (const id of ids) repoRemoval.removeBinned(id);
      return ids.length;
    });
  }

  /** The most recently deleted repository with that owner and name; undefined also if the principal does not own it. */
  find(principal: Principal, owner: User, name: string): BinnedRepo | undefined {
    const all = { page: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const wanted = name.toLowerCase();
    return this.list(principal, [owner], all).items.find((each) => each.name.toLowerCase() === wanted);
  }

  private require(principal: Principal, id: number): { readonly row: store.BinnedRow; readonly owner: User } {
    const row = store.findBinned(this.parts.db, this.viewer(principal), id);
    const owner = row && this.parts.identity.byId(row.ownerId);
    if (!row || !owner) throw new NotFound();
    return { row, owner };
  }

  private viewer(principal: Principal): store.Viewer {
    const { access } = this.parts;
    return { owns: access.repoCondition({ level: "owner", isBinned: true }), params: access.params(principal) };
  }

  private shown({ items, total }: { items: store.BinnedRow[]; total: number }): Slice<BinnedRepo> {
    const ids = items.flatMap(({ ownerId, deletedBy }) => (deletedBy === null ? [ownerId] : [ownerId, deletedBy]));
    const people = this.parts.identity.byIds([...new Set(ids)]);
    return {
      total,
      items: items.flatMap(({ id, ownerId, name, sizeBytes, binnedAt, deletedBy }) => {
        const owner = people.get(ownerId);
        const by = deletedBy === null ? undefined : people.get(deletedBy);
        if (!owner) return [];
        const goesAt = binnedAt + this.parts.days * DAY_MS;
        return [{ id, owner, name, sizeBytes, deletedAt: binnedAt, goesAt, ...(by ? { deletedBy: by } : {}) }];
      }),
    };
  }
}
