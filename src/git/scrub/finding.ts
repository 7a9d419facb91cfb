import type { Oid } from "../objects/types.ts";

/** A damaged file of a repository, and what is affected. */
export interface ScrubFinding {
  /** Relative to the repository: `objects/pack/pack-….pack`; `objects` for objects that are in no file at all. */
  readonly file: string;
  readonly message: string;
  /** The first of the objects that can no longer be read from the file. */
  readonly objects: readonly Oid[];
  readonly objectCount: number;
  /** How many of them cannot be read from any other file either. */
  readonly lostCount: number;
  /** The first of the refs from which a lost object is reachable. */
  readonly refs: readonly string[];
  readonly refCount: number;
}

export interface ScrubReport {
  readonly objects: number;
  readonly bytes: number;
  readonly findings: readonly ScrubFinding[];
}

/** A finding whose extent is still being determined. */
export interface Damage {
  readonly file: string;
  readonly message: string;
  readonly oids: ReadonlySet<Oid>;
}
