import type { Oid } from "../objects/types.ts";

/**
 * What can be found out about a change of a ref before it is made: `forced` whether commits are lost; `commits` the new
 * commits with messages and signatures; `paths` the files that change; `blobs` what the push brings in files: sizes, LFS
 * pointers, what patterns find.
 */
export type Fact = "forced" | "commits" | "paths" | "blobs";

/** A commit that a change brings. */
export interface NewCommit {
  readonly oid: Oid;
  /** At most so many characters as `MAX_MESSAGE`. */
  readonly message: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
  /** The exact bytes that are signed, and the signature as it stands in the commit; absent when it is not signed. */
  readonly signed?: { readonly payload: Uint8Array; readonly signature: string };
}

/** What is known of one change; a fact that was not asked for is undefined. */
export interface ChangeFacts {
  /** The old commit cannot be reached from the new one. */
  readonly isForced?: boolean;
  /** Of old..new, or reachable from no ref when the ref is new; newest first. */
  readonly commits?: readonly NewCommit[];
  /** An annotated tag's own signature, with `commits`. */
  readonly signedTag?: { readonly payload: Uint8Array; readonly signature: string };
  /** Files that differ, with the old and the new name of one that was moved; names as `decodeName` gives them. */
  readonly paths?: readonly string[];
  /** What each query of paths found, by its key. */
  readonly pathMatches?: Readonly<Record<string, PathMatch>>;
  /** A bound was met on the way: what was asked for is not known in full. */
  readonly overrun?: "commits" | "paths" | "content" | "time";
}

/** Asks whether files that change match patterns; letter case does not count, `.` and `/` are separators (see glob.ts). */
export interface PathQuery {
  readonly key: string;
  readonly globs: readonly string[];
}

/** A changed file that matches one of the patterns, and one that matches none; undefined where there is none. */
export interface PathMatch {
  readonly matching: string | undefined;
  readonly other: string | undefined;
}

/** A file of a push. The path is one of those it has, undefined when it is not easily found. */
export interface NewBlob {
  readonly oid: Oid;
  readonly sizeBytes: number;
  readonly path: string | undefined;
}

/** What a push brings that the repository does not have yet, whichever of its refs leads to it. */
export interface ReceivedFacts {
  readonly totalBytes: number;
  readonly largest: NewBlob | undefined;
  readonly lfs: readonly { readonly oid: string; readonly sizeBytes: number }[];
  /** The first finds of each pattern. */
  readonly found: readonly { readonly pattern: string; readonly blob: NewBlob }[];
  readonly overrun?: "content" | "time";
}

/** Something that may not stand in files, in the syntax of RE2, which takes linear time whatever the pattern. */
export interface ContentPattern {
  readonly name: string;
  readonly source: string;
  /** Files without any of these texts are not looked through. */
  readonly needles?: readonly string[];
}

export interface InspectLimits {
  readonly commits: number;
  readonly commitBytes: number;
  readonly paths: number;
  readonly trees: number;
  /** Bytes of files looked through for patterns. */
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
