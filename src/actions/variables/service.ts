import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { ActionsHome, Variable } from "../types.ts";
import { checkValue, descriptionOf, requireRoom, unixLines, valueNameOf } from "../values.ts";
import * as store from "./store.ts";

export interface VariableEdit {
  /** The new name; empty to keep the current one. */
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** Variables: named values for workflows, readable by anyone who manages them (contract actions.md 8.3). */
export class VariableService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Sorted by name. */
  list(home: ActionsHome, paging: Omit<Paging, "page">): Slice<Variable> {
    return store.listVariables(this.db, home, paging);
  }

  /**
   * The variables of a repository's jobs: its own override its owner's, which override the site's
   * (contract actions.md 3.11).
   */
  valuesFor({ id, ownerId }: { readonly id: number; readonly ownerId: number }): Record<string, string> {
    return Object.fromEntries(store.variablesOfJobs(this.db, id, ownerId).map(({ name, value }) => [name, value]));
  }

  /** @param name in any letter case @throws NotFound */
  get(home: ActionsHome, name: string): Variable {
    const variable = store.findVariable(this.db, home, name.toUpperCase());
    if (!variable) throw new NotFound("actions.no-such-variable");
    return variable;
  }

  /** @throws NotFound if it does not exist or belongs to another home */
  byId(home: ActionsHome, id: number): Variable {
    const variable = store.findVariableById(this.db, home, id);
    if (!variable) throw new NotFound("actions.no-such-variable");
    return variable;
  }

  /** @throws BadRequest for an invalid name or a value too long; Conflict if it exists; ValidationFailed if too many */
  create(home: ActionsHome, { description, name, value }: VariableEdit): void {
    const { ownerId, repoId } = home;
    const variable = {
      ownerId,
      repoId,
      name: valueNameOf(name),
      value: checkValue(unixLines(value)),
      description: descriptionOf(description),
    };
    this.db.transaction(() => {
      this.requireFree(home, variable.name);
      requireRoom(store.countVariables(this.db, home));
      store.insertVariable(this.db, variable, this.clock());
    });
  }

  /**
   * @param present its current name
   * @throws NotFound; BadRequest if the name is invalid or the value too long; Conflict if the new name is taken
   */
  edit(home: ActionsHome, present: string, { description, name, value }: VariableEdit): void {
    this.db.transaction(() => {
      const variable = this.get(home, present);
      const renamed = name === "" ? variable.name : valueNameOf(name);
      if (renamed !== variable.name) this.requireFree(home, renamed);
      const edit = { name: renamed, value: checkValue(unixLines(value)), description: descriptionOf(description) };
      store.updateVariable(this.db, { ...variable, ...edit }, this.clock());
    });
  }

  /** @throws NotFound */
  delete(home: ActionsHome, name: string): void {
    this.db.transaction(() => store.deleteVariable(this.db, this.get(home, name).id));
  }

  private requireFree(home: ActionsHome, name: string): void {
    if (store.findVariable(this.db, home, name)) throw new Conflict("actions.variable-exists", { field: "name" });
  }
}
