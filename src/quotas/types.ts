import type { Subject } from "./subjects.ts";

/** A limit for some subjects together. */
export interface QuotaRule {
  readonly name: string;
  /** -1: no limit. */
  readonly limitBytes: number;
  readonly subjects: readonly Subject[];
}

/** Rules that apply together to its members. */
export interface QuotaGroup {
  readonly name: string;
  readonly rules: readonly QuotaRule[];
}
