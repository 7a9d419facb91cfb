/** Who follows whom: the principal follows the envelope's owner. Repeating a call that changes nothing is no event. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "account.followed": Record<string, never>;
    "account.unfollowed": Record<string, never>;
  }
}

export {};
