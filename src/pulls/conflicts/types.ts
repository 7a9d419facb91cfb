import type { Oid } from "../../git/objects/types.ts";

/** What one side has at a path. */
export interface ConflictSide {
  readonly mode: number;
  readonly oid: Oid;
  /** undefined: it is a commit of another repository. */
  readonly sizeBytes: number | undefined;
}

/** A part of a conflicted text as it is shown. */
export type ConflictPiece =
  | {
      /** Decided: the lines next to the conflicts around it, and how many are left out between them. */
      readonly kind: "merged";
      readonly before: readonly string[];
      readonly left: number;
      readonly after: readonly string[];
    }
  | { readonly kind: "conflict"; readonly ours: string; readonly theirs: string };

export interface Conflict {
  readonly path: string;
  /** What git says of it. */
  readonly about: readonly string[];
  /** What the head, and what the base has there; undefined: nothing. */
  readonly ours: ConflictSide | undefined;
  readonly theirs: ConflictSide | undefined;
  /** undefined: a side has to be chosen. */
  readonly text: { readonly pieces: readonly ConflictPiece[]; readonly whole: string | undefined } | undefined;
}

export interface Conflicts {
  readonly files: readonly Conflict[];
  /** Files that are not listed: too many to be decided one by one. */
  readonly more: number;
  readonly isClean: boolean;
}

/** How the sides are called: the names of the branches. */
export interface ConflictLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** The lines that mark a conflict in a text. */
export function markersOf({ ours, theirs }: ConflictLabels) {
  return { start: `<<<<<<< ${ours}`, middle: "=======", end: `>>>>>>> ${theirs}` };
}
