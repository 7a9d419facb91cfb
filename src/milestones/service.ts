import type { Database } from "../db/database.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import type { Milestone } from "./types.ts";

/** Milestones of repositories (contract issues.md 14). */
export class MilestoneService {
  constructor(private readonly db: Database) {}

  /** Milestones by their ids, for showing; those that are gone are left out. */
  byIds(ids: readonly number[]): Map<number, Milestone> {
    return store.findMilestones(this.db, ids);
  }

  /** The milestone, when it is one of the repository's. */
  find({ repo }: SeenRepo, id: number): Milestone | undefined {
    const found = this.byIds([id]).get(id);
    return found?.repoId === repo.id ? found : undefined;
  }
}
