import type { SeenRepo } from "../../repos/types.ts";
import type { Forge } from "../forge/types.ts";
import type { ImportedPeople } from "../people.ts";

/** What is done with a part of a repository, and who hears how far it is. */
export interface ItemTask {
  readonly seen: SeenRepo;
  readonly forge: Forge;
  readonly people: ImportedPeople;
  /** What is added to the numbers of pull requests. */
  readonly pullOffset: number;
  /** Has the refs, by their names there, under other names here; those that are not there are passed over. */
  bringRefs(names: ReadonlyMap<string, string>): Promise<void>;
  readonly signal: AbortSignal;
  /** So many of the part are here. */
  onProgress(count: number): void;
}
