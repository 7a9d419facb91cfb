/** The principal follows the envelope's owner. Calls that change nothing cause no event. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "account.followed": Record<string, never>;
    "account.unfollowed": Record<string, never>;
  }
}

export {};
