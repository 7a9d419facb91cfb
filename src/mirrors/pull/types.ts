/** A repository elsewhere that one here follows. */
export interface PullMirror {
  readonly repoId: number;
  /** Without credentials. */
  readonly address: string;
  /** Our user name there; empty: anonymous. */
  readonly username: string;
  readonly hasPassword: boolean;
  /** 0: only on request. */
  readonly intervalMs: number;
  /** Whether branches and tags deleted there are deleted here too. */
  readonly prunes: boolean;
  readonly hasWiki: boolean;
  /** Whether to fetch large files. */
  readonly hasLfs: boolean;
  /** All large files that the refs name have been requested. */
  readonly lfsIsWhole: boolean;
  /** Undefined: only on request. */
  readonly nextAt: number | undefined;
  /** The last successful sync after the initial one. */
  readonly syncedAt: number | undefined;
  /** Of the settings, and of every attempt. */
  readonly changedAt: number;
  /** Failures since the last success. */
  readonly failures: number;
  /** As written by `recordFailure`; empty: success. */
  readonly lastError: string;
}

/** A requested change; absent fields stay as they are. */
export interface PullMirrorEdit {
  /** A duration. */
  readonly interval?: string | undefined;
  readonly prunes?: boolean | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly hasWiki?: boolean | undefined;
  readonly hasLfs?: boolean | undefined;
  /** Empty: the default of git LFS. */
  readonly lfsEndpoint?: string | undefined;
  readonly address?: string | undefined;
}
