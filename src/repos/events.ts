import type { FolderKind } from "./folders/types.ts";

/** Events about repositories. */

/** One ref that a push, an edit or an API call changed. */
export interface RefMove {
  readonly name: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    /** `labels`: the built-in label set it starts with. */
    "repo.created": { name: string; labels?: string };
    "repo.renamed": { from: string; to: string };
    /** `from`: the old `owner/name`. */
    "repo.transferred": { fromId: number; from: string };
    /** `fields`: names of the given fields, including those of its settings. */
    "repo.edited": { fields: string[] };
    /** It was public and is now private. */
    "repo.hidden": Record<string, never>;
    /** The repository was forked. */
    "repo.forked": { forkId: number };
    /** No one can see it any more; it may still be restorable. */
    "repo.deleted": { name: string; ownerId: number };
    "repo.restored": { name: string };
    /**
     * Refs of the code changed, by whatever means. `isInitial`: the repository was created with them; `isMirrored`:
     * they came from a mirror sync.
     */
    "refs.changed": { moves: RefMove[]; isInitial?: boolean; isMirrored?: boolean };
    /** Emitted together with its `refs.changed`. */
    "branch.renamed": { from: string; to: string };
    /** The same as `refs.changed` for a folder other than the code's. */
    "folder.refs-changed": { folderId: number; kind: FolderKind; moves: RefMove[] };
    "collaborator.added": { userId: number; level: string };
    "collaborator.removed": { userId: number };
  }
}
