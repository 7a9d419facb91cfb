/** A large file of a repository. */
export interface LfsObject {
  readonly id: number;
  readonly repoId: number;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly oid: string;
  readonly sizeBytes: number;
  /** When it was uploaded, or a client was last told not to upload it. */
  readonly updatedAt: number;
}

/** What a client does with objects. */
export const operations = ["download", "upload"] as const;
export type LfsOperation = (typeof operations)[number];

/** The response over SSH with which git-lfs continues over HTTP (contract git-content.md 16.6). */
export interface LfsGrant {
  readonly href: string;
  readonly header: Readonly<Record<string, string>>;
  readonly expires_in: number;
}

/** A locked file. */
export interface LfsLock {
  readonly id: number;
  readonly repoId: number;
  readonly path: string;
  readonly ownerId: number;
  readonly createdAt: number;
}

/** The level required in a repository: reading objects takes read, uploading and locks take write. */
export type LfsLevel = "read" | "write";
