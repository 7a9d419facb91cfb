/** The parts of a request that a signature over it may cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** A header's value, with repeated headers joined by a comma; null if absent. */
  header(name: string): string | null;
}

/** The account that a reverse proxy has signed in, according to its headers. */
export interface ProxiedUser {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
  /** Whether the browser gets a session, if it has none for that account. */
  readonly opensSession: boolean;
  readonly userAgent: string;
}

/** Everything in a request that identifies the caller. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | null;
  /** `token` or `access_token` from the query string or a form. */
  readonly queryToken: string | null;
  /** The session cookie's secret; only on surfaces that accept one. */
  readonly sessionSecret: string | undefined;
  /** `X-Gitea-OTP` or `X-Forgejo-OTP`: the passcode that accompanies a password. */
  readonly passcode: string | null;
  /** On git's routes, a password is not accepted even with a passcode. */
  readonly forGit: boolean;
  /** Whether LFS tokens are accepted; on LFS routes only. */
  readonly forLfs?: boolean;
  /** Whether tokens issued by package registries are accepted. */
  readonly forRegistry?: boolean;
  /** The request, if a header says that it is signed; only on surfaces that accept signatures. */
  readonly signed?: SignedRequest;
  /** Only from a trusted proxy, on surfaces that accept proxy sign-in. */
  readonly proxied?: ProxiedUser;
  readonly address: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}
