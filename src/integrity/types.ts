import type { Oid } from "../git/objects/types.ts";

/** A damaged file and what it affects. The first objects, refs and owners are named, and all are counted. */
export interface Finding {
  /** For a repository: relative to its directory. For uploaded files: the digest. */
  readonly file: string;
  readonly message: string;
  readonly hits: Hits;
}

export interface Hits {
  readonly objects: readonly Oid[];
  readonly objectCount: number;
  /** Objects that have no other copy. */
  readonly lostCount: number;
  readonly refs: readonly string[];
  readonly refCount: number;
  /** The references to an uploaded file: `area key`. */
  readonly owners: readonly string[];
}

export interface Examined {
  /** Number of objects in a repository, or of uploaded files. */
  readonly items: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

/** The result of the last scrub of something. */
export interface ScrubRecord extends Examined {
  /** null: the uploaded files */
  readonly folderId: number | null;
  /** `owner/name`, with `.wiki` for the wiki's directory. */
  readonly repository: string | null;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
}
