/** What a request brought to say who asks. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | null;
  /** `token` or `access_token` of the query. */
  readonly queryToken: string | null;
  /** The session cookie's secret; only on surfaces that take one. */
  readonly sessionSecret: string | undefined;
  readonly address: string;
  /** Fires when the client goes away. */
  readonly signal?: AbortSignal;
}
