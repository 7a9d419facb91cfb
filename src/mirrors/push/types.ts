/** A repository elsewhere that one here is pushed to. */
export interface PushMirror {
  readonly id: number;
  readonly repoId: number;
  /** What clients call it by. */
  readonly remoteName: string;
  /** Without credentials. */
  readonly address: string;
  readonly username: string;
  readonly hasPassword: boolean;
  /** 0: only when someone asks for it, or something changes. */
  readonly intervalMs: number;
  readonly syncOnCommit: boolean;
  /** Patterns of branches; none: all. */
  readonly branches: readonly string[];
  readonly nextAt: number | undefined;
  /** The last try. */
  readonly pushedAt: number | undefined;
  readonly failures: number;
  /** As `recordFailure` has it; empty: it went well. */
  readonly lastError: string;
  readonly createdAt: number;
}

/** What someone asks for. */
export interface NewPushMirror {
  /** With credentials, or without. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** As a duration is written. */
  readonly interval: string;
  readonly syncOnCommit: boolean;
  /** Patterns of branches with commas between them; empty: all. */
  readonly branches: string;
}

/** A requested change; what is absent stays. */
export type PushMirrorEdit = Partial<Pick<NewPushMirror, "interval" | "syncOnCommit" | "branches">>;
