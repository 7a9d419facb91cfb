/** What another forge reports about a repository, whatever its kind; all values are type-checked and length-limited. */

export interface ForgePerson {
  readonly name: string;
  readonly id: number;
  /** The id belongs to yet another forge, from which it was moved there. */
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

/** An issue, or the issue part of a pull request. */
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
  /** Its position among the pinned ones, from 1; 0: not pinned, or not reported. */
  readonly pinOrder: number;
  readonly dueAt: number | undefined;
  readonly labels: readonly string[];
  /** Its title; empty: none. */
  readonly milestone: string;
  readonly assignees: readonly ForgePerson[];
  /** Number of comments; undefined: not reported. */
  readonly comments: number | undefined;
  /** Whether it has reactions; undefined: not reported. */
  readonly hasReactions: boolean | undefined;
  readonly assets: readonly ForgeAsset[];
  /** Only some people may read it there. */
  readonly isConfidential: boolean;
}

export interface ForgePull extends ForgeItem {
  /** The ref for its head there. */
  readonly headRef: string;
  readonly headBranch: string;
  /** The branch is in the repository itself. */
  readonly isOfSameRepo: boolean;
  /** Commits; empty: not reported, or none. */
  readonly headOid: string;
  readonly baseBranch: string;
  /** The base of its changes. */
  readonly baseOid: string;
  readonly isDraft: boolean;
  readonly mergedAt: number | undefined;
  readonly mergedBy: ForgePerson | undefined;
  readonly mergeCommit: string;
  readonly allowsMaintainerEdit: boolean;
  /** People asked for a review. */
  readonly reviewers: readonly ForgePerson[];
}

export interface ForgeCodeComment {
  readonly author: ForgePerson;
  readonly body: string;
  readonly path: string;
  /** In the new file; negative: in the old one; 0: the whole file. */
  readonly line: number;
  readonly startLine: number;
  /** Empty: not reported. */
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
  /** Empty: not reported. */
  readonly commitId: string;
  /** Undefined: not reported. */
  readonly isStale: boolean | undefined;
  readonly isDismissed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly comments: readonly ForgeCodeComment[];
}

/** The discussion of an item. */
export interface ForgeTalk {
  readonly reactions: readonly ForgeReaction[];
  /** Oldest first. */
  readonly comments: readonly ForgeComment[];
  readonly reviews: readonly ForgeReview[];
}

export interface ForgeAsset {
  readonly name: string;
  /** An address, or a path below that of the repository's API. */
  readonly url: string;
  /** 0: not reported. */
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

/** A repository on another forge. All methods throw Failure: `remote.…`, `import.…`. */
export interface Forge {
  about(): Promise<ForgeAbout>;
  labels(): Pages<ForgeLabel>;
  milestones(): Pages<ForgeMilestone>;
  /** Oldest first. */
  issues(): Pages<ForgeItem>;
  pulls(): Pages<ForgePull>;
  /** Adds what lists leave out. */
  detailed(pull: ForgePull): Promise<ForgePull>;
  talkOf(item: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk>;
  releases(): Pages<ForgeRelease>;
  file(asset: Pick<ForgeAsset, "url">, maxBytes: number): Promise<ReadableStream<Uint8Array>>;
  /** The highest numbers in use; `pulls` is undefined if pull requests and issues are numbered together. */
  lastNumbers(): Promise<{ readonly issues: number; readonly pulls: number | undefined }>;
}
