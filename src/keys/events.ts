/** Events about keys; the account or repository that owns the key is in the envelope. */

export type KeySort = "ssh" | "gpg" | "principal" | "deploy";

interface AboutKey {
  sort: KeySort;
  /** Its human-readable name: title, id or principal. */
  name: string;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "key.added": AboutKey;
    "key.removed": AboutKey;
    /** Its owner has proven it by signing a token. */
    "key.verified": AboutKey;
  }
}
