/** The type of a message; the names are git's and stable (`git merge-tree -z`). */
export type MessageType =
  | "Auto-merging"
  | "CONFLICT (contents)"
  | "CONFLICT (binary)"
  | "CONFLICT (file/directory)"
  | "CONFLICT (distinct modes)"
  | "CONFLICT (modify/delete)"
  | "CONFLICT (rename/rename)"
  | "CONFLICT (rename involved in collision)"
  | "CONFLICT (rename/delete)"
  | "CONFLICT (directory rename suggested)"
  | "Path updated due to directory rename"
  | "Directory rename skipped since directory was renamed on both sides"
  | "CONFLICT (file in way of directory rename)"
  | "CONFLICT(directory rename collision)"
  | "CONFLICT(directory rename unclear split)"
  | "CONFLICT (submodule not initialized)"
  | "CONFLICT (submodule lacks merge base)";

/** A message about a merge. Paths and text are latin1 strings during the merge and decoded in its result. */
export interface MergeMessage {
  readonly type: MessageType;
  /** The paths it concerns, the primary one first. */
  readonly paths: readonly string[];
  readonly text: string;
}

/** The messages of a merge, by primary path. Merges of bases produce none. */
export class Messages {
  private readonly byPath = new Map<string, MergeMessage[]>();
  /** Submodules changed on both sides, in the order encountered. */
  readonly submodules: string[] = [];

  constructor(private readonly silent: boolean) {}

  add(type: MessageType, paths: readonly string[], text: string): void {
    if (this.silent) return;
    if (type === "CONFLICT (submodule not initialized)") this.submodules.push(paths[0]!);
    const message = { type, paths, text };
    const existing = this.byPath.get(paths[0]!);
    if (existing) existing.push(message);
    else this.byPath.set(paths[0]!, [message]);
  }

  /** Sorted by path; messages for the same path stay in the order they were added. */
  sorted(): MergeMessage[] {
    return [...this.byPath.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).flatMap(([, found]) => found);
  }
}
