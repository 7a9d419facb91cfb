/** Limits for conversations with another server. */
export interface RemoteLimits {
  /** In total, per request or connection. */
  readonly timeoutMs: number;
  /** Per wait for the other side. Large repositories are counted silently before their pack begins. */
  readonly idleMs: number;
  /** The list of refs. */
  readonly maxAdvertisedBytes: number;
}
