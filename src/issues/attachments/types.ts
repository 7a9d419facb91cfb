/** A file that someone attached to an item or a comment, or uploaded to attach it. */
export interface Attachment {
  readonly id: number;
  /** Names its address and its bytes. */
  readonly uuid: string;
  readonly repoId: number;
  /** Undefined when the account is gone. */
  readonly uploaderId: number | undefined;
  /** The item, also of a comment's file; undefined: not used yet, and only its uploader sees it. */
  readonly issueId: number | undefined;
  /** The comment; undefined: the item's own. */
  readonly entryId: number | undefined;
  readonly name: string;
  readonly sizeBytes: number;
  readonly downloads: number;
  readonly createdAt: number;
}
