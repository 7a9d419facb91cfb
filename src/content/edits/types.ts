import type { TreeEntry } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** One file of an edit. Paths as requests give them; they are checked when the edit is made. */
export interface FileOperation {
  /**
   * create: must not be there; update: must be there; upload: either; rename: takes `fromPath` to `path`;
   * delete: must be there; delete-directory, move-directory: the same of a directory, with all that is below it.
   */
  readonly kind: "create" | "update" | "upload" | "rename" | "delete" | "delete-directory" | "move-directory";
  readonly path: string;
  /** The path the file or directory has now, when it is moved. */
  readonly fromPath?: string | undefined;
  /** Absent: a moved file keeps its content. */
  readonly content?: Uint8Array | undefined;
  /** The blob the caller believes to be there; checked when given. */
  readonly sha?: string | undefined;
}

/** A name and an address of which either may be left open. */
export interface RequestedSignature {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** A moment with the zone it is told in. */
export interface RequestedTime {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly offsetMinutes: number;
}

/** A change that is not made file by file: a patch, or what another commit did, or its reversal. */
export type WholeChange =
  | { readonly kind: "patch"; readonly patch: Uint8Array }
  | { readonly kind: "cherry-pick" | "revert"; readonly commit: Oid };

/** A change of files that becomes one commit. */
export interface EditRequest {
  readonly operations: readonly FileOperation[];
  /** In place of operations, of which there are none then. */
  readonly change?: WholeChange | undefined;
  /** Absent: the default branch. */
  readonly branch?: string | undefined;
  /** Absent: the commit goes to `branch` itself. */
  readonly newBranch?: string | undefined;
  /** Let `newBranch` exist already and lose what it has. */
  readonly force?: boolean | undefined;
  /** Absent or empty: one that names the files. */
  readonly message?: string | undefined;
  readonly author?: RequestedSignature | undefined;
  readonly committer?: RequestedSignature | undefined;
  readonly authorTime?: RequestedTime | undefined;
  readonly committerTime?: RequestedTime | undefined;
  readonly signoff?: boolean | undefined;
  /** Says who may, where that is not whoever writes to the code. @throws Failure */
  permit?(seen: SeenRepo): void;
}

/** What became of an edit. */
export interface Edited {
  readonly branch: string;
  readonly commit: Oid;
  /** What is at each operation's path now; undefined where it was deleted. */
  readonly files: readonly { readonly path: string; readonly entry: TreeEntry | undefined }[];
}
