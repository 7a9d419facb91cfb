import type { PackageType } from "./types.ts";

/** Which versions of an account's packages of one type a rule deletes (contract packages.md 8). */
export interface CleanupRuleValues {
  readonly isEnabled: boolean;
  readonly type: PackageType;
  /** The newest versions of each package to keep; 0: none for being newest. */
  readonly keepCount: number;
  /** Matching versions are kept; empty: none for their name. */
  readonly keepPattern: string;
  /** Younger versions are kept; 0: none for their age. */
  readonly removeDays: number;
  /** Versions that do not match are kept; empty: all may be deleted. */
  readonly removePattern: string;
  /** Patterns apply to `package/version` rather than to the version alone. */
  readonly matchFullName: boolean;
}

export interface CleanupRule extends CleanupRuleValues {
  readonly id: number;
  readonly ownerId: number;
}

export const keepCounts: readonly number[] = [0, 1, 5, 10, 25, 50, 100];
export const removeDays: readonly number[] = [0, 7, 14, 30, 60, 90, 180];
export const MAX_PATTERN = 255;
