/** Limits on what pushes and edits may add to a repository. */
export interface PushLimits {
  /** Max file size in bytes; 0: no limit. */
  readonly maxFileBytes: number;
  /** Whether files that appear to contain a secret are refused. */
  readonly refusesSecrets: boolean;
  /** RE2 regular expressions: files that match one are refused. */
  readonly patterns: readonly string[];
}

export const noPushLimits: PushLimits = { maxFileBytes: 0, refusesSecrets: false, patterns: [] };
