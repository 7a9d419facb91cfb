/** What another server may cost us. */
export interface RemoteLimits {
  /** One request or connection in all. */
  readonly timeoutMs: number;
  /** Each wait for the other side. Large repositories are counted in silence before their pack begins. */
  readonly idleMs: number;
  /** The list of refs. */
  readonly maxAdvertisedBytes: number;
}
