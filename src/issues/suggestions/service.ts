import type { Database } from "../../db/database.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { IssueService } from "../service.ts";
import type { SeenIssue } from "../types.ts";
import { suggestedIds } from "./store.ts";

/** Suggests items to someone who types `#`. */
export class ItemSuggestions {
  constructor(
    private readonly db: Database,
    private readonly issues: IssueService,
  ) {}

  /** @throws NotFound neither kind of item may be read */
  find(seen: SeenRepo, words: string, limit: number): SeenIssue[] {
    const kinds = this.issues.requireReadable(seen);
    const ids = suggestedIds(this.db, seen.repo.id, kinds, words.trim().toLowerCase(), limit);
    return this.issues.seeEach(seen.principal, ids);
  }
}
