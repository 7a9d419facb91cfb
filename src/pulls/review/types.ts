import type { Oid } from "../../git/objects/types.ts";

/** `request`: someone is asked for a review; `pending`: only its author sees it. */
export type ReviewKind = "pending" | "approve" | "reject" | "comment" | "request";

/** What the API calls a kind. */
export const reviewStates: Readonly<Record<ReviewKind, string>> = {
  pending: "PENDING",
  approve: "APPROVED",
  reject: "REQUEST_CHANGES",
  comment: "COMMENT",
  request: "REQUEST_REVIEW",
};

/** What someone said of a pull request as a whole, or that they are asked to. */
export interface Review {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ReviewKind;
  /** undefined: a team is asked, the account is gone, or it was moved in. */
  readonly reviewerId: number | undefined;
  /** Who wrote it on the forge it was moved from; empty: it was written here, or nobody asks. */
  readonly originalAuthor: string;
  readonly teamId: number | undefined;
  readonly body: string;
  /** The head that was looked at; empty for requests. */
  readonly commitId: Oid;
  /** It counts for the rule of the base branch. */
  readonly isOfficial: boolean;
  /** The change is not what it was any more. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Comments on lines that belong to it. */
  readonly comments: number;
  /** Its entry in the timeline; undefined: it has none. */
  readonly entryId: number | undefined;
}

/** What a comment on code speaks of. */
export interface CodeLine {
  readonly path: string;
  /** The last of them in the new file; below zero: in the old one; 0: the whole file. */
  readonly line: number;
  /** The first of several lines, with the sign of the last; 0: there is one line only. */
  readonly startLine: number;
}

export interface CodeComment extends CodeLine {
  /** That of its entry. */
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly reviewId: number;
  readonly userId: number | undefined;
  /** Who wrote it on the forge it was moved from; empty: it was written here. */
  readonly originalAuthor: string;
  readonly body: string;
  /** That brought the line. */
  readonly commitId: Oid;
  /** The lines before it and the line, as of a diff. */
  readonly hunk: string;
  readonly isOutdated: boolean;
  readonly resolverId: number | undefined;
  readonly isResolved: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const isVerdict = ({ kind }: Pick<Review, "kind">): boolean => kind === "approve" || kind === "reject";
