/** What happens to pages of wikis, by pages and REST; pushes to the wiki's repository say nothing. */
export interface WikiEvent {
  /** Its name as in its file, without the ending and with dashes for blanks. */
  readonly page: string;
  /** The message of the commit; empty for a deletion. */
  readonly comment: string;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "wiki.created": WikiEvent;
    /** Also when it got another title: `page` is the new one. */
    "wiki.edited": WikiEvent;
    "wiki.deleted": WikiEvent;
    /** All of it, with its history. */
    "wiki.removed": Record<string, never>;
  }
}
