/** How far a file of an artifact is. The numbers are stored. */
export const ArtifactStatus = { pending: 1, there: 2, failed: 3, expired: 4 } as const;
export type ArtifactStatus = (typeof ArtifactStatus)[keyof typeof ArtifactStatus];

/** An artifact of the newer protocol, or a file of one of the older. Times are milliseconds since 1970. */
export interface Artifact {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  /** Of the run. */
  readonly attempt: number;
  readonly name: string;
  /** In the artifact; empty: it is of the newer protocol, and one file. */
  readonly path: string;
  /** As its sender calls it; empty: it is of the older protocol. */
  readonly mediaType: string;
  /** How its bytes are compressed, and are handed out. */
  readonly encoding: "" | "gzip";
  readonly status: ArtifactStatus;
  /** Of the content as people get it. */
  readonly sizeBytes: number;
  /** What its sender says its bytes are, of the older protocol. */
  readonly announcedBytes: number | undefined;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One that lists show, with the commit of its run. */
export interface ListedArtifact extends Artifact {
  readonly commit: string;
}

/** A part of what is on its way. */
export interface ArtifactBlock {
  readonly id: number;
  /** Where it stands, or, of the older protocol, begins; undefined: that was not said. */
  readonly place: number | undefined;
  readonly sizeBytes: number;
}

/** The job that asks, by its token. */
export interface AskingJob {
  readonly runId: number;
  readonly jobId: number;
  readonly taskId: number;
  /** Of the run. */
  readonly attempt: number;
}

/** Names one artifact, or a file of one. */
export type ArtifactKey = Pick<Artifact, "attempt" | "name" | "path" | "runId">;
