/** Where things are, for links in answers. */
export interface Links {
  /** Ends in `/`. */
  readonly rootUrl: string;
  /** Domain of placeholder addresses. */
  readonly noReplyDomain: string;
  readonly ssh: SshPlace;
}

/** Where git over SSH is, as clients reach it. */
export interface SshPlace {
  readonly user: string;
  /** An address of IPv6 has its brackets. */
  readonly host: string;
  readonly port: number;
}
