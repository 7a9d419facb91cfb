import type { Oid } from "../git/objects/types.ts";

/** A damaged file and what it hits. Of objects, refs and owners the first are named and all are counted. */
export interface Finding {
  /** In a repository: below its folder. Of uploaded files: the digest. */
  readonly file: string;
  readonly message: string;
  readonly hits: Hits;
}

export interface Hits {
  readonly objects: readonly Oid[];
  readonly objectCount: number;
  /** Objects that are nowhere else either. */
  readonly lostCount: number;
  readonly refs: readonly string[];
  readonly refCount: number;
  /** What refers to an uploaded file: `area key`. */
  readonly owners: readonly string[];
}

export interface Examined {
  /** Objects of a repository; files of the uploaded ones. */
  readonly items: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

/** What the last scrub of something said. */
export interface ScrubRecord extends Examined {
  /** null: the uploaded files */
  readonly folderId: number | null;
  /** `owner/name`, with `.wiki` for its folder. */
  readonly repository: string | null;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
}
