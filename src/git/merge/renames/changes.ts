import type { Version } from "../state.ts";

/**
 * Why the destination of a removed directory is relevant: "self" if the other side added files to it, "ancestor" if
 * only a directory above it is relevant; "none" if it is not.
 */
export type DirectoryRelevance = "none" | "ancestor" | "self";

/** A file one side added or deleted. */
export interface SidePair {
  readonly path: string;
  readonly version: Version;
  readonly added: boolean;
}

/** The additions and deletions of one side, and which of them rename detection must follow. */
export class SideChanges {
  /** In walk order. */
  readonly pairs: SidePair[] = [];
  /**
   * Deleted files whose new path is relevant: for their "content", because the other side changed it, or for their
   * "location", because it shows where a directory went.
   */
  readonly relevant = new Map<string, "content" | "location" | "settled">();
  readonly removedDirectories = new Map<string, DirectoryRelevance>();
}

/** A file one side added, with the file it was renamed from if one was found. */
export interface Arrival {
  /** The current path; a directory rename may change it once. */
  path: string;
  /** The original path; the same as `path` if it was only added. */
  readonly from: string;
  readonly renamed: boolean;
  readonly side: 1 | 2;
}
