import { GitError } from "../errors.ts";

/** What stands against an edit. */
export type EditProblem =
  /** No tree may hold such a path, or some checkout would take it for git's own. */
  | "bad path"
  /** A file, a link or a submodule is where a directory would have to be. */
  | "not a directory"
  /** A directory is where a file is to be. */
  | "is a directory"
  /** Something is where a directory is to be moved to. */
  | "exists"
  /** No entry of a tree has such a mode, or what is named is nothing such an entry may point to. */
  | "bad entry"
  /** There is nothing at the path. */
  | "missing"
  /** git itself would read the content, and must not. */
  | "bad content";

/** An edit of files cannot be made; nothing was changed. */
export class EditRefused extends GitError {
  override name = "EditRefused";
  constructor(
    readonly problem: EditProblem,
    /** From the root, as far as it is the matter. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}
