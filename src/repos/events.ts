import type { FolderKind } from "./folders/types.ts";

/** What happens to repositories. */

/** One ref that a push, an edit or an API call changed. */
export interface RefMove {
  readonly name: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    /** `labels`: the built-in set of labels it begins with. */
    "repo.created": { name: string; labels?: string };
    "repo.renamed": { from: string; to: string };
    /** `from`: the old owner's name and the repository's, with a slash between them. */
    "repo.transferred": { fromId: number; from: string };
    /** `fields`: names of what was given, those of its settings among them. */
    "repo.edited": { fields: string[] };
    /** It was public and became private. */
    "repo.hidden": Record<string, never>;
    /** The repository has a fork. */
    "repo.forked": { forkId: number };
    /** It is gone for everyone; perhaps it can be restored. */
    "repo.deleted": { name: string; ownerId: number };
    "repo.restored": { name: string };
    /** Refs of the code moved, however it came about. `isInitial`: the repository was made with them;
     * `isMirrored`: a mirror took them over. */
    "refs.changed": { moves: RefMove[]; isInitial?: boolean; isMirrored?: boolean };
    /** Told with the `refs.changed` of it. */
    "branch.renamed": { from: string; to: string };
    /** The same of a folder beside the code's. */
    "folder.refs-changed": { folderId: number; kind: FolderKind; moves: RefMove[] };
    "collaborator.added": { userId: number; level: string };
    "collaborator.removed": { userId: number };
  }
}
