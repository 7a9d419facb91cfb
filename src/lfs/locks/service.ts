import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { LfsLock } from "../types.ts";
import { checkLockPath } from "../values.ts";
import * as store from "./store.ts";

/** More than anyone needs at a time. */
const MAX_LOCKS = 10_000;

export interface LockPage {
  readonly locks: readonly LfsLock[];
  /** The next page; absent: there is none. */
  readonly next?: number;
}

type InRepo = Pick<SeenRepo, "repo">;

/**
 * File locks (contract git-content.md 16.5), for callers already admitted. Pushes do not check them: git-lfs does
 * before pushing.
 */
export class LfsLocks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly maxPage: number,
    private readonly isEnabled: boolean,
  ) {}

  /**
   * @param page from 1; 0 also means the first
   * @param limit 0: all
   */
  list({ repo }: InRepo, page: number, limit: number): LockPage {
    if (limit <= 0) return { locks: store.listLocks(this.db, repo.id, MAX_LOCKS, 0) };
    const size = Math.min(limit, this.maxPage);
    const number = Math.max(1, page);
    const locks = this.page({ repo }, number, size);
    return locks.length < size ? { locks } : { locks, next: number + 1 };
  }

  /** @param page from 1 */
  page({ repo }: InRepo, page: number, size: number): LfsLock[] {
    return store.listLocks(this.db, repo.id, size, Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER));
  }

  count({ repo }: InRepo): number {
    return store.countLocks(this.db, repo.id);
  }

  find({ repo }: InRepo, id: number): LfsLock | undefined {
    return store.findLock(this.db, repo.id, id);
  }

  /** The lock on a path, ignoring case. @throws BadRequest no file can have such a path */
  on({ repo }: InRepo, path: string): LfsLock | undefined {
    return store.lockOn(this.db, repo.id, checkLockPath(path));
  }

  /** Whether someone else has locked a file. */
  isLockedForOthers({ principal, repo }: SeenRepo, path: string): boolean {
    if (!this.isEnabled) return false;
    const lock = store.lockOn(this.db, repo.id, path);
    return lock !== undefined && lock.ownerId !== principal.user?.id;
  }

  /**
   * @returns the lock, or the existing one
   * @throws BadRequest no file can have such a path; ValidationFailed there are too many
   */
  create(seen: SeenRepo, given: string): { readonly lock: LfsLock; readonly isNew: boolean } {
    const { db } = this;
    const { repo } = seen;
    const path = checkLockPath(given);
    return db.transaction(() => {
      const present = store.lockOn(db, repo.id, path);
      if (present) return { lock: present, isNew: false };
      if (store.countLocks(db, repo.id) >= MAX_LOCKS)
        throw new ValidationFailed("lfs.too-many-locks", { params: { max: MAX_LOCKS } });
      const made = { repoId: repo.id, path, ownerId: holderOf(seen), createdAt: this.clock() };
      return { lock: store.insertLock(db, made), isNew: true };
    });
  }

  /** @throws NotFound the repository has no such lock; Forbidden it is someone else's, and `isForced` is not set */
  remove(seen: SeenRepo, id: number, isForced: boolean): LfsLock {
    const { db } = this;
    return db.transaction(() => {
      const lock = store.findLock(db, seen.repo.id, id);
      if (!lock) throw new NotFound("lfs.no-such-lock");
      if (!isForced && lock.ownerId !== holderOf(seen)) throw new Forbidden("lfs.lock-of-another");
      store.deleteLock(db, seen.repo.id, id);
      return lock;
    });
  }
}

/** The owner of a lock: a deploy key acts for the repository's owner. */
export function holderOf({ owner, principal }: SeenRepo): number {
  return principal.user?.id ?? owner.id;
}
