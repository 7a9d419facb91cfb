import type { Version } from "../state.ts";

/**
 * Why the destination of a removed directory is asked for: "self", files were added to it on the other side; "ancestor",
 * only a directory above it matters; "none".
 */
export type DirectoryRelevance = "none" | "ancestor" | "self";

/** A file that a side added or deleted. */
export interface SidePair {
  readonly path: string;
  readonly version: Version;
  readonly added: boolean;
}

/** What one side added and deleted, and what of it may have to be followed. */
export class SideChanges {
  /** In the order of the walk. */
  readonly pairs: SidePair[] = [];
  /**
   * Deleted files whose new place matters: for their "content", since the other side changed it; or for their
   * "location", since it tells where a directory went.
   */
  readonly relevant = new Map<string, "content" | "location" | "settled">();
  readonly removedDirectories = new Map<string, DirectoryRelevance>();
}

/** An added file of a side, with the file it was renamed from where one was found. */
export interface Arrival {
  /** Where the file is now; a directory's rename may change it once. */
  path: string;
  /** Where it came from; its own path when it is just added. */
  readonly from: string;
  readonly renamed: boolean;
  readonly side: 1 | 2;
}
