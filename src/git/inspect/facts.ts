import type { Oid } from "../objects/types.ts";

/**
 * What can be determined about a change of a ref before it is made: `forced` whether commits are lost; `commits` the
 * new commits with messages and signatures; `paths` the files that change; `blobs` facts about the new files: sizes,
 * LFS pointers, matches of patterns.
 */
export type Fact = "forced" | "commits" | "paths" | "blobs";

/** A commit added by a change. */
export interface NewCommit {
  readonly oid: Oid;
  /** At most `MAX_MESSAGE` characters. */
  readonly message: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
  /** The exact bytes that are signed, and the signature as it is in the commit; absent if unsigned. */
  readonly signed?: { readonly payload: Uint8Array; readonly signature: string };
}

/** The facts about one change; undefined if not requested. */
export interface ChangeFacts {
  /** Whether the old commit cannot be reached from the new one. */
  readonly isForced?: boolean;
  /** The commits in old..new, or for a new ref those not reachable from any ref; newest first. */
  readonly commits?: readonly NewCommit[];
  /** An annotated tag's own signature, included with `commits`. */
  readonly signedTag?: { readonly payload: Uint8Array; readonly signature: string };
  /** Files that differ, with both the old and the new name of a renamed one; names as returned by `decodeName`. */
  readonly paths?: readonly string[];
  /** The result of each path query, by its key. */
  readonly pathMatches?: Readonly<Record<string, PathMatch>>;
  /** A limit was reached: the facts are incomplete. */
  readonly overrun?: "commits" | "paths" | "content" | "time";
}

/** Asks whether changed files match patterns, ignoring case; `.` and `/` are separators (patterns/rule-glob.ts). */
export interface PathQuery {
  readonly key: string;
  readonly globs: readonly string[];
}

/** A changed file that matches one of the patterns, and one that matches none; undefined if there is none. */
export interface PathMatch {
  readonly matching: string | undefined;
  readonly other: string | undefined;
}

/** A file in a push, with one of its paths; undefined if none is easily found. */
export interface NewBlob {
  readonly oid: Oid;
  readonly sizeBytes: number;
  readonly path: string | undefined;
}

/** What a push adds to the repository, whichever of its refs it belongs to. */
export interface ReceivedFacts {
  readonly totalBytes: number;
  readonly largest: NewBlob | undefined;
  readonly lfs: readonly { readonly oid: string; readonly sizeBytes: number }[];
  /** The first matches of each pattern. */
  readonly found: readonly { readonly pattern: string; readonly blob: NewBlob }[];
  readonly overrun?: "content" | "time";
}

/** A pattern that files must not match, in RE2 syntax, which takes linear time whatever the pattern. */
export interface ContentPattern {
  readonly name: string;
  readonly source: string;
  /** Files that contain none of these texts are not searched. */
  readonly needles?: readonly string[];
}

export interface InspectLimits {
  readonly commits: number;
  readonly commitBytes: number;
  readonly paths: number;
  readonly trees: number;
  /** Maximum bytes of files searched for patterns. */
  readonly scannedBytes: number;
  readonly lfsPointers: number;
}

export const DEFAULT_INSPECT_LIMITS: InspectLimits = {
  commits: 20_000,
  commitBytes: 64 * 2 ** 20,
  paths: 100_000,
  trees: 1_000_000,
  scannedBytes: 256 * 2 ** 20,
  lfsPointers: 100_000,
};

export const MAX_MESSAGE = 64 * 1024;
