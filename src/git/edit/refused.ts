import { GitError } from "../errors.ts";

/** Why an edit is not possible. */
export type EditProblem =
  /** No tree may contain such a path, or some checkout would take it for git's own. */
  | "bad path"
  /** A file, a link or a submodule is where a directory is needed. */
  | "not a directory"
  /** A directory is where a file is to be written. */
  | "is a directory"
  /** Something already exists where a directory is to be moved. */
  | "exists"
  /** No tree entry has such a mode, or it cannot point to the given object. */
  | "bad entry"
  /** Nothing exists at the path. */
  | "missing"
  /** git itself would interpret the content, and must not. */
  | "bad content";

/** An edit of files is not possible; nothing was changed. */
export class EditRefused extends GitError {
  override name = "EditRefused";
  constructor(
    readonly problem: EditProblem,
    /** From the root, up to the problem. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}
