import type { Oid } from "../../git/objects/types.ts";

/** `request`: someone is asked for a review; `pending`: visible only to its author. */
export type ReviewKind = "pending" | "approve" | "reject" | "comment" | "request";

/** The API's name of each kind. */
export const reviewStates: Readonly<Record<ReviewKind, string>> = {
  pending: "PENDING",
  approve: "APPROVED",
  reject: "REQUEST_CHANGES",
  comment: "COMMENT",
  request: "REQUEST_REVIEW",
};

/** A review of a pull request as a whole, or a request for one. */
export interface Review {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ReviewKind;
  /** undefined: a team is asked, the account is gone, or it was imported. */
  readonly reviewerId: number | undefined;
  /** The author's name on the forge it was imported from; empty if it was written here, or not queried. */
  readonly originalAuthor: string;
  readonly teamId: number | undefined;
  readonly body: string;
  /** The head that was reviewed; empty for requests. */
  readonly commitId: Oid;
  /** Whether it counts for the rule of the base branch. */
  readonly isOfficial: boolean;
  /** Whether the change has since been altered. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of line comments that belong to it. */
  readonly comments: number;
  /** Its timeline entry; undefined if it has none. */
  readonly entryId: number | undefined;
}

/** The lines a comment on code refers to. */
export interface CodeLine {
  readonly path: string;
  /** The last line, in the new file; negative: in the old one; 0: the whole file. */
  readonly line: number;
  /** The first of several lines, with the sign of the last; 0: a single line. */
  readonly startLine: number;
}

export interface CodeComment extends CodeLine {
  /** The id of its timeline entry. */
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly reviewId: number;
  readonly userId: number | undefined;
  /** The author's name on the forge it was imported from; empty if it was written here. */
  readonly originalAuthor: string;
  readonly body: string;
  /** The commit that last changed the line. */
  readonly commitId: Oid;
  /** The lines before it and the line, as in a diff. */
  readonly hunk: string;
  readonly isOutdated: boolean;
  readonly resolverId: number | undefined;
  readonly isResolved: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const isVerdict = ({ kind }: Pick<Review, "kind">): boolean => kind === "approve" || kind === "reject";
