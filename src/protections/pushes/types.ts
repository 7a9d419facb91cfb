/** What pushes and edits may bring to a repository. */
export interface PushLimits {
  /** The largest file, in bytes; 0: no limit. */
  readonly maxFileBytes: number;
  /** Files with what looks like a secret are refused. */
  readonly refusesSecrets: boolean;
  /** Regular expressions of RE2: files that match one are refused. */
  readonly patterns: readonly string[];
}

export const noPushLimits: PushLimits = { maxFileBytes: 0, refusesSecrets: false, patterns: [] };
