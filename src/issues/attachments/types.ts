/** A file attached to an item or comment, or uploaded for one. */
export interface Attachment {
  readonly id: number;
  /** Identifies its address and its bytes. */
  readonly uuid: string;
  readonly repoId: number;
  /** Undefined if the account was deleted. */
  readonly uploaderId: number | undefined;
  /** The item, also for a comment's file; undefined: unused, and visible only to its uploader. */
  readonly issueId: number | undefined;
  /** The comment; undefined: attached to the item itself. */
  readonly entryId: number | undefined;
  readonly name: string;
  readonly sizeBytes: number;
  readonly downloads: number;
  readonly createdAt: number;
}
