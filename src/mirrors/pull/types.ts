/** A repository elsewhere that one here follows. */
export interface PullMirror {
  readonly repoId: number;
  /** Without credentials. */
  readonly address: string;
  /** Who we are there; empty: nobody. */
  readonly username: string;
  readonly hasPassword: boolean;
  /** 0: only when someone asks for it. */
  readonly intervalMs: number;
  /** Branches and tags that went there go here, too. */
  readonly prunes: boolean;
  readonly hasWiki: boolean;
  /** Large files come along. */
  readonly hasLfs: boolean;
  /** All that the refs name was looked for. */
  readonly lfsIsWhole: boolean;
  /** Undefined: only when someone asks for it. */
  readonly nextAt: number | undefined;
  /** The last time that it went well, after the first one. */
  readonly syncedAt: number | undefined;
  /** Of the settings, and of every try. */
  readonly changedAt: number;
  /** How often it failed since it went well. */
  readonly failures: number;
  /** As `recordFailure` has it; empty: it went well. */
  readonly lastError: string;
}

/** A requested change; what is absent stays. */
export interface PullMirrorEdit {
  /** As a duration is written. */
  readonly interval?: string | undefined;
  readonly prunes?: boolean | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly hasWiki?: boolean | undefined;
  readonly hasLfs?: boolean | undefined;
  /** Empty: where git LFS looks for them. */
  readonly lfsEndpoint?: string | undefined;
  readonly address?: string | undefined;
}
