/** How much someone did in one span of time. */
export interface Contributions {
  /** Milliseconds since 1970: where the span begins. */
  readonly from: number;
  readonly count: number;
}
