import type { SeenRepo } from "../../repos/types.ts";
import type { Forge } from "../forge/types.ts";
import type { ImportedPeople } from "../people.ts";

/** The import of one part of a repository, and how to report its progress. */
export interface ItemTask {
  readonly seen: SeenRepo;
  readonly forge: Forge;
  readonly people: ImportedPeople;
  /** The offset added to the numbers of pull requests. */
  readonly pullOffset: number;
  /** Fetches refs, by their names there, to other names here; missing ones are skipped. */
  bringRefs(names: ReadonlyMap<string, string>): Promise<void>;
  readonly signal: AbortSignal;
  /** How many of the part have been imported. */
  onProgress(count: number): void;
}
