import { requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";

const MAX_FLAGS = 100;
const MAX_NAME = 255;

/**
 * Labels that site administrators put on repositories, for themselves and their programs. All methods throw Forbidden
 * for others.
 */
export class FlagService {
  constructor(private readonly db: Database) {}

  of({ principal, repo }: SeenRepo): string[] {
    requireSiteAdmin(principal, "read");
    return store.flagsOf(this.db, repo.id);
  }

  /** Replaces the repository's flags. @throws ValidationFailed too many, or a name that is empty or too long */
  replace({ principal, repo }: SeenRepo, names: readonly string[]): void {
    requireSiteAdmin(principal);
    for (const name of names) checkFlag(name);
    this.db.transaction(() => {
      store.removeFlags(this.db, repo.id);
      for (const name of names) store.addFlag(this.db, repo.id, name);
      this.requireFew(repo.id);
    });
  }

  /** Does nothing if it exists. @throws ValidationFailed */
  add({ principal, repo }: SeenRepo, name: string): void {
    requireSiteAdmin(principal);
    checkFlag(name);
    this.db.transaction(() => {
      store.addFlag(this.db, repo.id, name);
      this.requireFew(repo.id);
    });
  }

  /** Does nothing if it does not exist. */
  remove({ principal, repo }: SeenRepo, name: string): void {
    requireSiteAdmin(principal);
    store.removeFlag(this.db, repo.id, name);
  }

  private requireFew(repoId: number): void {
    if (store.flagsOf(this.db, repoId).length > MAX_FLAGS)
      throw new ValidationFailed("flag.too-many", { field: "flags", params: { max: MAX_FLAGS } });
  }
}

function checkFlag(name: string): void {
  const about = { field: "flags", params: { name: "Flags" } };
  if (name.trim() === "") throw new ValidationFailed("value.required", about);
  if (name.length > MAX_NAME) throw new ValidationFailed("value.too-long", about);
}
