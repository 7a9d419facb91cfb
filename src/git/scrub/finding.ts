import type { Oid } from "../objects/types.ts";

/** A file of a repository whose bytes are not what they should be, and what that hits. */
export interface ScrubFinding {
  /** Below the repository's folder: `objects/pack/pack-….pack`; `objects` for what is in no file at all. */
  readonly file: string;
  readonly message: string;
  /** The first of the objects that the file no longer gives. */
  readonly objects: readonly Oid[];
  readonly objectCount: number;
  /** How many of them no other file gives either. */
  readonly lostCount: number;
  /** The first of the refs that lead to a lost one. */
  readonly refs: readonly string[];
  readonly refCount: number;
}

export interface ScrubReport {
  readonly objects: number;
  readonly bytes: number;
  readonly findings: readonly ScrubFinding[];
}

/** A finding while its extent is being found out. */
export interface Damage {
  readonly file: string;
  readonly message: string;
  readonly oids: ReadonlySet<Oid>;
}
