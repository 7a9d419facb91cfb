/** What another forge tells of a repository, whichever it is; every value is of its type, and no longer than it may be. */

export interface ForgePerson {
  readonly name: string;
  readonly id: number;
  /** The number is one of yet another forge, from which it was moved there. */
  readonly isFromElsewhere?: boolean;
}

export interface ForgeAbout {
  readonly description: string;
  readonly website: string;
  readonly topics: readonly string[];
}

export interface ForgeLabel {
  readonly name: string;
  /** `#` and six digits. */
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

export interface ForgeMilestone {
  readonly title: string;
  readonly description: string;
  readonly dueAt: number | undefined;
  readonly isClosed: boolean;
}

export interface ForgeReaction {
  readonly giver: ForgePerson;
  /** The short name of an emoji. */
  readonly content: string;
  readonly createdAt: number;
}

export interface ForgeComment {
  readonly author: ForgePerson;
  readonly body: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly reactions: readonly ForgeReaction[];
  readonly assets: readonly ForgeAsset[];
}

/** An issue, or what a pull request has of one. */
export interface ForgeItem {
  /** 0: it has none that could be kept. */
  readonly number: number;
  readonly author: ForgePerson;
  readonly title: string;
  readonly body: string;
  /** A branch or tag; empty: none. */
  readonly ref: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | undefined;
  readonly isLocked: boolean;
  /** Its place among the pinned ones, from 1; 0: it is not pinned, or that is not said. */
  readonly pinOrder: number;
  readonly dueAt: number | undefined;
  readonly labels: readonly string[];
  /** Its title; empty: none. */
  readonly milestone: string;
  readonly assignees: readonly ForgePerson[];
  /** Comments under it; undefined: that is not said. */
  readonly comments: number | undefined;
  /** Whether there are reactions to it; undefined: that is not said. */
  readonly hasReactions: boolean | undefined;
  readonly assets: readonly ForgeAsset[];
  /** Only some people may read it there. */
  readonly isConfidential: boolean;
}

export interface ForgePull extends ForgeItem {
  /** The ref that keeps its head there. */
  readonly headRef: string;
  readonly headBranch: string;
  /** The branch is one of the repository itself. */
  readonly isOfSameRepo: boolean;
  /** Commits; empty: not said, or none. */
  readonly headOid: string;
  readonly baseBranch: string;
  /** Where its change begins. */
  readonly baseOid: string;
  readonly isDraft: boolean;
  readonly mergedAt: number | undefined;
  readonly mergedBy: ForgePerson | undefined;
  readonly mergeCommit: string;
  readonly allowsMaintainerEdit: boolean;
  /** Who is asked for a review. */
  readonly reviewers: readonly ForgePerson[];
}

export interface ForgeCodeComment {
  readonly author: ForgePerson;
  readonly body: string;
  readonly path: string;
  /** In the new file; below zero: in the old one; 0: the whole file. */
  readonly line: number;
  readonly startLine: number;
  /** Empty: not said. */
  readonly commitId: string;
  readonly hunk: string;
  readonly isOutdated: boolean;
  readonly resolvedBy: ForgePerson | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ForgeReview {
  readonly kind: "approve" | "reject" | "comment";
  readonly author: ForgePerson;
  readonly body: string;
  /** Empty: not said. */
  readonly commitId: string;
  /** Undefined: not said. */
  readonly isStale: boolean | undefined;
  readonly isDismissed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly comments: readonly ForgeCodeComment[];
}

/** What was said under an item. */
export interface ForgeTalk {
  readonly reactions: readonly ForgeReaction[];
  /** The oldest first. */
  readonly comments: readonly ForgeComment[];
  readonly reviews: readonly ForgeReview[];
}

export interface ForgeAsset {
  readonly name: string;
  /** An address, or a path below that of the repository's API. */
  readonly url: string;
  /** 0: not said. */
  readonly sizeBytes: number;
}

export interface ForgeRelease {
  readonly tag: string;
  readonly target: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  readonly createdAt: number | undefined;
  readonly assets: readonly ForgeAsset[];
}

export type Pages<T> = AsyncGenerator<readonly T[], void, undefined>;

/** A repository on another forge. All of it throws Failure: `remote.…`, `import.…`. */
export interface Forge {
  about(): Promise<ForgeAbout>;
  labels(): Pages<ForgeLabel>;
  milestones(): Pages<ForgeMilestone>;
  /** The oldest first. */
  issues(): Pages<ForgeItem>;
  pulls(): Pages<ForgePull>;
  /** With what a list leaves out. */
  detailed(pull: ForgePull): Promise<ForgePull>;
  talkOf(item: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk>;
  releases(): Pages<ForgeRelease>;
  file(asset: Pick<ForgeAsset, "url">, maxBytes: number): Promise<ReadableStream<Uint8Array>>;
  /** The highest numbers in use; `pulls` is undefined where pull requests and issues are counted together. */
  lastNumbers(): Promise<{ readonly issues: number; readonly pulls: number | undefined }>;
}
