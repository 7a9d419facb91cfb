/** The parts of a request that a signature over it may cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** A header's value, those of the same name joined by a comma; null: there is none. */
  header(name: string): string | null;
}

/** Whom a reverse proxy has signed in, as it says in headers. */
export interface ProxiedUser {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
  /** The browser gets a session, if it has none of that account. */
  readonly opensSession: boolean;
  readonly userAgent: string;
}

/** What a request brought to say who asks. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | null;
  /** `token` or `access_token` of the query, or of a form. */
  readonly queryToken: string | null;
  /** The session cookie's secret; only on surfaces that take one. */
  readonly sessionSecret: string | undefined;
  /** `X-Gitea-OTP` or `X-Forgejo-OTP`: the passcode that goes with a password. */
  readonly passcode: string | null;
  /** On git's routes no passcode helps a password. */
  readonly forGit: boolean;
  /** On the routes of large files their own tokens count. */
  readonly forLfs?: boolean;
  /** Tokens that registries give out count. */
  readonly forRegistry?: boolean;
  /** The request, when a header says that it is signed; only on surfaces that take signatures. */
  readonly signed?: SignedRequest;
  /** Only from a proxy that is trusted, on surfaces where it is believed. */
  readonly proxied?: ProxiedUser;
  readonly address: string;
  /** Fires when the client goes away. */
  readonly signal?: AbortSignal;
}
