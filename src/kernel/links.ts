/** Where things are, for links in answers. */
export interface Links {
  /** Ends in `/`. */
  readonly rootUrl: string;
  /** Domain of placeholder addresses. */
  readonly noReplyDomain: string;
}
