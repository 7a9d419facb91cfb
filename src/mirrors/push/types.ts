/** A repository elsewhere that one here is pushed to. */
export interface PushMirror {
  readonly id: number;
  readonly repoId: number;
  /** Its name for clients. */
  readonly remoteName: string;
  /** Without credentials. */
  readonly address: string;
  readonly username: string;
  readonly hasPassword: boolean;
  /** 0: only on request or after changes. */
  readonly intervalMs: number;
  readonly syncOnCommit: boolean;
  /** Patterns of branches; empty: all. */
  readonly branches: readonly string[];
  readonly nextAt: number | undefined;
  /** The last attempt. */
  readonly pushedAt: number | undefined;
  readonly failures: number;
  /** As written by `recordFailure`; empty: success. */
  readonly lastError: string;
  readonly createdAt: number;
}

/** A request for a new push mirror. */
export interface NewPushMirror {
  /** With or without credentials. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** A duration. */
  readonly interval: string;
  readonly syncOnCommit: boolean;
  /** Comma-separated patterns of branches; empty: all. */
  readonly branches: string;
}

/** A requested change; absent fields stay as they are. */
export type PushMirrorEdit = Partial<Pick<NewPushMirror, "interval" | "syncOnCommit" | "branches">>;
