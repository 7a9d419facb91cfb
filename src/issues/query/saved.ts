import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import * as store from "./saved-store.ts";

/** A search saved under a name. */
export interface SavedSearch {
  readonly id: number;
  readonly name: string;
  readonly query: string;
}

/** Where it is offered: in a repository or, if undefined, across all; for one kind of items. */
export interface SavedSearchPlace {
  readonly repoId: number | undefined;
  readonly isPull: boolean;
}

const MAX_NAME = 60;
const MAX_QUERY = 1_000;
/** Per place; more would be no help. */
const MAX_SAVED = 50;

/** Saved searches; each belongs to one account. */
export class SavedSearches {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Sorted by name. */
  list({ user }: Principal, place: SavedSearchPlace): SavedSearch[] {
    return user ? store.savedSearches(this.db, user.id, place) : [];
  }

  /** Replaces an existing search with the same name. @throws ValidationFailed blank, too long, too many */
  save(principal: Principal, place: SavedSearchPlace, given: { readonly name: string; readonly query: string }): void {
    const user = accountOf(principal);
    const [name, query] = [given.name.trim(), given.query.trim()];
    if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
    if (query === "") throw new ValidationFailed("value.required", { field: "query", params: { name: "Query" } });
    if ([...name].length > MAX_NAME)
      throw new ValidationFailed("value.too-long", { field: "name", params: { name: "Name", max: MAX_NAME } });
    if (query.length > MAX_QUERY)
      throw new ValidationFailed("value.too-long", { field: "query", params: { name: "Query", max: MAX_QUERY } });
    this.db.transaction(() => {
      if (store.savedSearches(this.db, user.id, place).length >= MAX_SAVED)
        throw new ValidationFailed("issue.too-many-saved-searches", { field: "name", params: { max: MAX_SAVED } });
      store.putSavedSearch(this.db, user.id, place, { name, query }, this.clock());
    });
  }

  /** @throws NotFound the account has no such search */
  remove(principal: Principal, id: number): void {
    if (!store.deleteSavedSearch(this.db, accountOf(principal).id, id)) throw new NotFound();
  }
}
