import type { ImportedAuthor } from "../issues/imports/service.ts";
import type { ForgePerson } from "./forge/types.ts";

/** Who people of another forge are here: those who sign in here with their account there, and no one by name alone. */
export class ImportedPeople {
  private readonly found = new Map<number, number | undefined>();

  /** @param accountOf the account here that belongs to the one of that number there */
  constructor(private readonly accountOf: (id: number) => number | undefined) {}

  author(person: ForgePerson): ImportedAuthor {
    const userId = this.account(person);
    if (userId !== undefined) return { userId };
    // A number of yet another forge is someone else's on this one.
    return { name: person.name, id: person.isFromElsewhere ? 0 : person.id };
  }

  /** Those who have an account here, each once. */
  accounts(people: readonly ForgePerson[]): number[] {
    return [...new Set(people.flatMap((person) => this.account(person) ?? []))];
  }

  /** What those are called who have none, each once. */
  strangers(people: readonly ForgePerson[]): string[] {
    return [...new Set(people.flatMap((person) => (this.account(person) === undefined ? person.name : [])))];
  }

  private account({ id, isFromElsewhere }: ForgePerson): number | undefined {
    if (id === 0 || isFromElsewhere) return undefined;
    if (!this.found.has(id)) this.found.set(id, this.accountOf(id));
    return this.found.get(id);
  }
}
