import type { PackageType } from "./types.ts";

/** What a rule says about the versions of an account's packages of one type (contract packages.md 8). */
export interface CleanupRuleValues {
  readonly isEnabled: boolean;
  readonly type: PackageType;
  /** So many of the newest of each package stay; 0: age alone saves none. */
  readonly keepCount: number;
  /** What matches stays; empty: nothing stays for its name. */
  readonly keepPattern: string;
  /** What is younger stays; 0: nothing stays for its age. */
  readonly removeDays: number;
  /** What does not match stays; empty: all of them may go. */
  readonly removePattern: string;
  /** Patterns are for `package/version` rather than for the version alone. */
  readonly matchFullName: boolean;
}

export interface CleanupRule extends CleanupRuleValues {
  readonly id: number;
  readonly ownerId: number;
}

export const keepCounts: readonly number[] = [0, 1, 5, 10, 25, 50, 100];
export const removeDays: readonly number[] = [0, 7, 14, 30, 60, 90, 180];
export const MAX_PATTERN = 255;
