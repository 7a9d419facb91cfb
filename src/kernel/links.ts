/** The addresses that links in answers are built from. */
export interface Links {
  /** Ends in `/`. */
  readonly rootUrl: string;
  /** Domain of placeholder addresses. */
  readonly noReplyDomain: string;
  readonly ssh: SshPlace;
}

/** Where clients reach git over SSH. */
export interface SshPlace {
  readonly user: string;
  /** An IPv6 address includes its brackets. */
  readonly host: string;
  readonly port: number;
}
