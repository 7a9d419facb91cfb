import type { Oid } from "../../git/objects/types.ts";

/** One side's version of a path. */
export interface ConflictSide {
  readonly mode: number;
  readonly oid: Oid;
  /** undefined for a commit of another repository (a submodule). */
  readonly sizeBytes: number | undefined;
}

/** A part of a conflicted text as it is displayed. */
export type ConflictPiece =
  | {
      /** Resolved: the lines next to the surrounding conflicts, and the number of lines left out between them. */
      readonly kind: "merged";
      readonly before: readonly string[];
      readonly left: number;
      readonly after: readonly string[];
    }
  | { readonly kind: "conflict"; readonly ours: string; readonly theirs: string };

export interface Conflict {
  readonly path: string;
  /** git's messages about it. */
  readonly about: readonly string[];
  /** The version of the head and that of the base; undefined if there is none. */
  readonly ours: ConflictSide | undefined;
  readonly theirs: ConflictSide | undefined;
  /** undefined: one side has to be chosen. */
  readonly text: { readonly pieces: readonly ConflictPiece[]; readonly whole: string | undefined } | undefined;
}

export interface Conflicts {
  readonly files: readonly Conflict[];
  /** Number of files not listed: too many to be resolved one by one. */
  readonly more: number;
  readonly isClean: boolean;
}

/** Labels of the sides: the branch names. */
export interface ConflictLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** The conflict markers used in a text. */
export function markersOf({ ours, theirs }: ConflictLabels) {
  return { start: `<<<<<<< ${ours}`, middle: "=======", end: `>>>>>>> ${theirs}` };
}
