/** A large file of a repository. */
export interface LfsObject {
  readonly id: number;
  readonly repoId: number;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly oid: string;
  readonly sizeBytes: number;
  /** When it came, or a client was last told that it need not send it. */
  readonly updatedAt: number;
}

/** What a client does with objects. */
export const operations = ["download", "upload"] as const;
export type LfsOperation = (typeof operations)[number];

/** What a token of git-lfs is told over SSH, to go on over HTTP (contract git-content.md 16.6). */
export interface LfsGrant {
  readonly href: string;
  readonly header: Readonly<Record<string, string>>;
  readonly expires_in: number;
}

/** A file that someone works on. */
export interface LfsLock {
  readonly id: number;
  readonly repoId: number;
  readonly path: string;
  readonly ownerId: number;
  readonly createdAt: number;
}

/** What is needed of a repository: reading objects takes read, sending them and locks take write. */
export type LfsLevel = "read" | "write";
