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
  /** Absent also when that account is gone. */
  readonly deletedBy?: User;
  /** When it goes for good. */
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
  /** Days that a deleted repository can be restored; 0: not at all. */
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** The bin: what was deleted lately, for owners and site administrators to restore. */
export class RepoBin {
  constructor(private readonly parts: BinParts) {}

  /**
   * What the principal owned and deleted, or others did, the last deleted first.
   * @param owners only what these accounts had; undefined: whoever's
   */
  list(principal: Principal, owners: readonly User[] | undefined, paging: Paging): Slice<BinnedRepo> {
    const ids = owners?.map(({ id }) => id);
    return this.shown(store.binned(this.parts.db, this.viewer(principal), ids, paging));
  }

  /**
   * Brings a repository back, with all it had when it was deleted but stars and watches.
   * @param name another than before; empty: the same
   * @throws NotFound it is not in the bin, or not for the principal; ValidationFailed the name; Conflict it is taken;
   * Forbidden the owner has as many as allowed
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
      // An owner has one fork of a repository; another may have been made meanwhile.
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

  /** Takes a repository out of the bin for good. @throws NotFound it is not in the bin, or not for the principal */
  purge(principal: Principal, id: number): void {
    const { db, repoRemoval } = this.parts;
    db.transaction(() => {
      this.require(principal, id);
      repoRemoval.removeBinned(id);
    });
  }

  /** The account is about to go, and what it has in the bin with it. Joins the running transaction. */
  purgeOf(ownerId: number): void {
    for (const id of store.binnedOf(this.parts.db, ownerId)) this.parts.repoRemoval.removeBinned(id);
  }

  /** Takes away for good what was deleted before that time, at most so many. @returns how many */
  prune(before: number, limit: number): number {
    const { db, repoRemoval } = this.parts;
    return db.transaction(() => {
      const ids = store.binnedBefore(db, before, limit);
      for (const id of ids) repoRemoval.removeBinned(id);
      return ids.length;
    });
  }

  /** The one of that owner and name that was deleted last; undefined also when the principal did not own it. */
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
