/** Events about wiki pages changed through pages and REST; pushes to the wiki emit none. */
export interface WikiEvent {
  /** The page's file name without extension, with dashes for blanks. */
  readonly page: string;
  /** The message of the commit; empty for a deletion. */
  readonly comment: string;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "wiki.created": WikiEvent;
    /** Also after a change of title: `page` is the new one. */
    "wiki.edited": WikiEvent;
    "wiki.deleted": WikiEvent;
    /** The whole wiki was deleted, with its history. */
    "wiki.removed": Record<string, never>;
  }
}
