/** The status of a file of an artifact. The numbers are stored. */
export const ArtifactStatus = { pending: 1, there: 2, failed: 3, expired: 4 } as const;
export type ArtifactStatus = (typeof ArtifactStatus)[keyof typeof ArtifactStatus];

/** An artifact of the newer protocol, or a file of one of the older. Times are milliseconds since 1970. */
export interface Artifact {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  /** The run's attempt. */
  readonly attempt: number;
  readonly name: string;
  /** Path in the artifact; empty for the newer protocol, where it is one file. */
  readonly path: string;
  /** The media type its sender gave; empty for the older protocol. */
  readonly mediaType: string;
  /** How its bytes are compressed, and served. */
  readonly encoding: "" | "gzip";
  readonly status: ArtifactStatus;
  /** Size of the content as users download it. */
  readonly sizeBytes: number;
  /** The number of bytes its sender announced, in the older protocol. */
  readonly announcedBytes: number | undefined;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An artifact in a list, with the commit of its run. */
export interface ListedArtifact extends Artifact {
  readonly commit: string;
}

/** A part of an unfinished upload. */
export interface ArtifactBlock {
  readonly id: number;
  /** Its position, or, in the older protocol, its offset; undefined if not given. */
  readonly place: number | undefined;
  readonly sizeBytes: number;
}

/** The calling job, identified by its token. */
export interface AskingJob {
  readonly runId: number;
  readonly jobId: number;
  readonly taskId: number;
  /** The run's attempt. */
  readonly attempt: number;
}

/** Identifies an artifact, or a file of one. */
export type ArtifactKey = Pick<Artifact, "attempt" | "name" | "path" | "runId">;
