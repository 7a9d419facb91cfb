/** What happens to keys; the account whose it is, or the repository, is the event's. */

export type KeySort = "ssh" | "gpg" | "principal" | "deploy";

interface AboutKey {
  sort: KeySort;
  /** What people know it by: its title, its id, the principal. */
  name: string;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "key.added": AboutKey;
    "key.removed": AboutKey;
    /** Its owner has signed a token with it. */
    "key.verified": AboutKey;
  }
}
