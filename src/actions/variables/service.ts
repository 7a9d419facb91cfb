import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { ActionsHome, Variable } from "../types.ts";
import { checkValue, descriptionOf, requireRoom, unixLines, valueNameOf } from "../values.ts";
import * as store from "./store.ts";

export interface VariableEdit {
  /** Another name; empty: the same. */
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** Variables: what workflows are given by name, and anyone who manages them may read (contract actions.md 8.3). */
export class VariableService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** By name. */
  list(home: ActionsHome, paging: Omit<Paging, "page">): Slice<Variable> {
    return store.listVariables(this.db, home, paging);
  }

  /** What jobs of a repository are given: its own, over its owner's, over the site's (contract actions.md 3.11). */
  valuesFor({ id, ownerId }: { readonly id: number; readonly ownerId: number }): Record<string, string> {
    return Object.fromEntries(store.variablesOfJobs(this.db, id, ownerId).map(({ name, value }) => [name, value]));
  }

  /** @param name in any case @throws NotFound */
  get(home: ActionsHome, name: string): Variable {
    const variable = store.findVariable(this.db, home, name.toUpperCase());
    if (!variable) throw new NotFound("actions.no-such-variable");
    return variable;
  }

  /** @throws NotFound missing, or of another home */
  byId(home: ActionsHome, id: number): Variable {
    const variable = store.findVariableById(this.db, home, id);
    if (!variable) throw new NotFound("actions.no-such-variable");
    return variable;
  }

  /** @throws BadRequest a bad name or a long value; Conflict there is one; ValidationFailed too many */
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

  /** @param present its name @throws NotFound; BadRequest a bad name or a long value; Conflict the name is another's */
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
