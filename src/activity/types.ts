/** A person's activity in one span of time. */
export interface Contributions {
  /** Milliseconds since 1970: the start of the span. */
  readonly from: number;
  readonly count: number;
}
