import type { Database } from "../db/database.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import type { Label } from "./types.ts";

/** Labels as repositories and organizations define them (contract issues.md 13). */
export class LabelService {
  constructor(private readonly db: Database) {}

  /** Labels by their ids, for showing; those that are gone are left out. */
  byIds(ids: readonly number[]): Map<number, Label> {
    return store.findLabels(this.db, ids);
  }

  /** Of these ids those that items of the repository may have: its own labels, and those of its organization. */
  usable({ repo, owner }: SeenRepo, ids: readonly number[]): Label[] {
    const found = [...this.byIds(ids).values()];
    return found.filter(({ repoId, ownerId }) => repoId === repo.id || ownerId === owner.id);
  }
}
