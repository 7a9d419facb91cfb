import type { Subject } from "./subjects.ts";

/** So much of some subjects together. */
export interface QuotaRule {
  readonly name: string;
  /** -1: no limit. */
  readonly limitBytes: number;
  readonly subjects: readonly Subject[];
}

/** Rules that count together for its members. */
export interface QuotaGroup {
  readonly name: string;
  readonly rules: readonly QuotaRule[];
}
