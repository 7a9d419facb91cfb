import type { ImportedAuthor } from "../issues/imports/service.ts";
import type { ForgePerson } from "./forge/types.ts";

/**
 * Maps people on another forge to accounts here: only those that sign in with their account there, never by name
 * alone.
 */
export class ImportedPeople {
  private readonly found = new Map<number, number | undefined>();

  /** @param accountOf the account here linked to the one with that id there */
  constructor(private readonly accountOf: (id: number) => number | undefined) {}

  author(person: ForgePerson): ImportedAuthor {
    const userId = this.account(person);
    if (userId !== undefined) return { userId };
    // An id from yet another forge would be someone else's on this one.
    return { name: person.name, id: person.isFromElsewhere ? 0 : person.id };
  }

  /** Those who have an account here, without duplicates. */
  accounts(people: readonly ForgePerson[]): number[] {
    return [...new Set(people.flatMap((person) => this.account(person) ?? []))];
  }

  /** The names of those who have no account here, without duplicates. */
  strangers(people: readonly ForgePerson[]): string[] {
    return [...new Set(people.flatMap((person) => (this.account(person) === undefined ? person.name : [])))];
  }

  private account({ id, isFromElsewhere }: ForgePerson): number | undefined {
    if (id === 0 || isFromElsewhere) return undefined;
    if (!this.found.has(id)) this.found.set(id, this.accountOf(id));
    return this.found.get(id);
  }
}
