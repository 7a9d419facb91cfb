import type { TreeEntry } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** One file of an edit. Paths are as given in requests; they are validated when the edit is made. */
export interface FileOperation {
  /**
   * create: must not exist; update: must exist; upload: either; rename: moves `fromPath` to `path`; delete: must exist;
   * delete-directory, move-directory: the same for a directory with everything below it.
   */
  readonly kind: "create" | "update" | "upload" | "rename" | "delete" | "delete-directory" | "move-directory";
  readonly path: string;
  /** The current path of a file or directory that is moved. */
  readonly fromPath?: string | undefined;
  /** Absent: a moved file keeps its content. */
  readonly content?: Uint8Array | undefined;
  /** The blob the caller expects to be there; checked if given. */
  readonly sha?: string | undefined;
}

/** A name and an address, either of which may be omitted. */
export interface RequestedSignature {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** A point in time with its time zone. */
export interface RequestedTime {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly offsetMinutes: number;
}

/** A change not made file by file: a patch, the change of another commit, or its reversal. */
export type WholeChange =
  | { readonly kind: "patch"; readonly patch: Uint8Array }
  | { readonly kind: "cherry-pick" | "revert"; readonly commit: Oid };

/** A set of file changes to become one commit. */
export interface EditRequest {
  readonly operations: readonly FileOperation[];
  /** Used instead of operations, which must then be empty. */
  readonly change?: WholeChange | undefined;
  /** Absent: the default branch. */
  readonly branch?: string | undefined;
  /** Absent: the commit goes to `branch` itself. */
  readonly newBranch?: string | undefined;
  /** Allows `newBranch` to exist already and lose its commits. */
  readonly force?: boolean | undefined;
  /** Absent or empty: a default that names the files. */
  readonly message?: string | undefined;
  readonly author?: RequestedSignature | undefined;
  readonly committer?: RequestedSignature | undefined;
  readonly authorTime?: RequestedTime | undefined;
  readonly committerTime?: RequestedTime | undefined;
  readonly signoff?: boolean | undefined;
  /** Overrides the permission check, which otherwise requires write access to the code. @throws Failure */
  permit?(seen: SeenRepo): void;
}

/** The result of an edit. */
export interface Edited {
  readonly branch: string;
  readonly commit: Oid;
  /** The entry now at each operation's path; undefined if it was deleted. */
  readonly files: readonly { readonly path: string; readonly entry: TreeEntry | undefined }[];
}
